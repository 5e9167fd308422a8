// Returns how many visible texts there are, and those with a contrast below 4.5 to 1.
const parse = (text) => {
  const [red, green, blue, alpha = 1] = text.match(/[\d.]+/g).map(Number);
  return [red, green, blue, alpha];
};
const light = ([red, green, blue]) => {
  const [r, g, b] = [red, green, blue].map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = (item) => {
  for (let at = item; at; at = at.parentElement) {
    const colour = parse(getComputedStyle(at).backgroundColor);
    if (colour[3] === 1) return colour;
  }
  return [255, 255, 255, 1];
};
const weak = [];
let texts = 0;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const item = node.parentElement;
  const isDrawn = item.checkVisibility() && !["SCRIPT", "STYLE"].includes(item.tagName);
  if (!node.data.trim() || !isDrawn || item.closest(".heard")) continue;
  const style = getComputedStyle(item);
  const ink = parse(item.namespaceURI.endsWith("svg") ? style.fill : style.color);
  const [more, less] = [light(ink), light(ground(item))].sort((a, b) => b - a);
  const contrast = (more + 0.05) / (less + 0.05);
  texts += 1;
  if (contrast < 4.5) weak.push(`${node.data.trim()} ${style.color} ${contrast.toFixed(2)}`);
}
return [texts, weak];
