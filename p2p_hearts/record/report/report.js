"use strict";
// Steps through the hands of a report. Every moment is in the page already: this compares numbers.
for (const stepper of document.querySelectorAll(".stepper")) {
  const hand = stepper.closest(".hand");
  const last = Number(stepper.dataset.last);
  const count = stepper.querySelector(".number");
  const timed = [...hand.querySelectorAll("[data-from], [data-until]")];
  const played = [...hand.querySelectorAll("[data-gone]")];
  const latest = [...hand.querySelectorAll("[data-now]")];
  const tricks = [...hand.querySelectorAll(".tricks tbody tr")].map(
    (row) => Number(row.querySelector("[data-now]").dataset.now));
  let step = 0;

  const show = (wanted) => {
    step = Math.max(0, Math.min(last, wanted));
    for (const item of timed) {
      const from = item.dataset.from === undefined ? 0 : Number(item.dataset.from);
      const until = item.dataset.until === undefined ? last + 1 : Number(item.dataset.until);
      item.hidden = step < from || step >= until;
    }
    for (const item of played) {
      item.classList.toggle("gone", step >= Number(item.dataset.gone));
    }
    for (const item of latest) {
      const isNow = step === Number(item.dataset.now);
      item.classList.toggle("now", isNow);
      if (item.tagName === "BUTTON") {
        if (isNow) item.setAttribute("aria-current", "step");
        else item.removeAttribute("aria-current");
      }
    }
    count.textContent = String(step);
    for (const button of stepper.querySelectorAll("[data-go]")) {
      const isBack = button.dataset.go === "first" || button.dataset.go === "back";
      button.setAttribute("aria-disabled", String(step === (isBack ? 0 : last)));
    }
  };

  // The trick after or before the one that is shown; then the end or the start.
  const nextTrick = () => tricks.find((start) => start > step) ?? last;
  const trickBefore = () => tricks.findLast((start) => start < step) ?? 0;
  const goes = {
    first: () => 0, back: () => step - 1, next: () => step + 1, last: () => last,
  };
  const keys = {
    ArrowLeft: goes.back, ArrowRight: goes.next, Home: goes.first, End: goes.last,
    ArrowDown: nextTrick, ArrowUp: trickBefore,
  };

  hand.addEventListener("click", (event) => {
    const button = event.target.closest("[data-go]");
    if (button) show((goes[button.dataset.go] ?? (() => Number(button.dataset.go)))());
  });
  stepper.addEventListener("keydown", (event) => {
    const go = keys[event.key];
    if (go && !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      show(go());
    }
  });
  stepper.querySelector(".controls").hidden = false;
  show(0);
}
