"""A real Chromium without a window, driven over the WebDriver protocol with the standard library.

It is started with a profile of its own and with everything off that would ask the network. All that
it requests is recorded, and every message on its console.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from shutil import which
from typing import Any

from tests.programs import LONG

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-prefers-reduced-motion",
    "--hide-scrollbars",
)
KEYS = {
    "left": "\ue012", "up": "\ue013", "right": "\ue014", "down": "\ue015",
    "home": "\ue011", "end": "\ue010", "tab": "\ue004", "enter": "\ue007",
}  # fmt: skip
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


@dataclass
class Browser:
    """One session."""

    port: int
    session: str

    def call(self, method: str, path: str, body: object = None) -> Any:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        try:
            data = None if method == "GET" else json.dumps(body or {}).encode()
            connection.request(method, f"/session/{self.session}{path}", data)
            value = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        if isinstance(value, dict) and "error" in value:
            raise RuntimeError(f"{path}: {value['error']}: {value['message']}")
        return value

    def open(self, path: Path) -> None:
        self.call("POST", "/url", {"url": path.resolve().as_uri()})

    def run(self, script: str, *arguments: object) -> Any:
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def devtools(self, command: str, **parameters: object) -> Any:
        return self.call(
            "POST", "/goog/cdp/execute", {"cmd": command, "params": parameters}
        )  # fmt: skip

    def press(self, *keys: str) -> None:
        """Press keys one after the other, on whatever has the focus."""
        actions = [
            {"type": kind, "value": KEYS[key]} for key in keys for kind in ("keyDown", "keyUp")
        ]
        source = {"type": "key", "id": "keys", "actions": actions}
        self.call("POST", "/actions", {"actions": [source]})

    def click(self, selector: str) -> None:
        found = self.call("POST", "/element", {"using": "css selector", "value": selector})
        self.call("POST", f"/element/{found[_ELEMENT]}/click")

    def focus(self, selector: str) -> None:
        self.run("document.querySelector(arguments[0]).focus()", selector)

    def text(self, selector: str) -> str:
        """The text of the visible elements that a selector finds."""
        return str(self.run(
            "return [...document.querySelectorAll(arguments[0])]"
            ".filter((item) => item.checkVisibility()).map((item) => item.innerText).join('\\n')",
            selector,
        ))  # fmt: skip

    def size(self, columns: int, rows: int = 900) -> None:
        self.devtools(
            "Emulation.setDeviceMetricsOverride",
            width=columns, height=rows, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip

    def media(self, kind: str = "", scheme: str = "light") -> None:
        """Pretend to be a screen or paper, light or dark."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.devtools("Emulation.setEmulatedMedia", media=kind, features=features)

    def console(self) -> list[str]:
        """What the page and the browser wrote to the console since the last time."""
        return [str(item["message"]) for item in self.call("POST", "/se/log", {"type": "browser"})]

    def requests(self) -> list[str]:
        """Addresses that pages asked for since the last time, the pages themselves included."""
        found = []
        for item in self.call("POST", "/se/log", {"type": "performance"}):
            message = json.loads(item["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found

    def print(self) -> bytes:
        """The page as PDF."""
        return base64.b64decode(self.call("POST", "/print"))


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium and its driver on loopback; both end with the block."""
    program, driver = which("chromium"), which("chromedriver")
    assert program, "install the Debian package chromium"
    assert driver, "install the Debian package chromium-driver"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        try:
            port = _port(process)
            browser = Browser(port, "")
            browser.session = _new_session(browser, program, profile)
            browser.call("POST", "/url", {"url": "about:blank"})  # away from the page of new tabs
            try:
                yield browser
            finally:
                browser.call("DELETE", "")
        finally:
            process.terminate()
            process.wait(60)
            if process.stdout is not None:
                process.stdout.close()


def _port(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    for line in process.stdout:
        found = re.search(r"started successfully on port (\d+)", line)
        if found:
            return int(found[1])
    raise RuntimeError("chromedriver did not start")


def _new_session(browser: Browser, program: str, profile: str) -> str:
    options = {"binary": program, "args": [*FLAGS, f"--user-data-dir={profile}"]}
    wanted = {
        "browserName": "chrome",
        "goog:chromeOptions": options,
        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
    }
    connection = HTTPConnection("127.0.0.1", browser.port, timeout=LONG)
    try:
        body = json.dumps({"capabilities": {"alwaysMatch": wanted}})
        connection.request("POST", "/session", body)
        value = json.loads(connection.getresponse().read())["value"]
    finally:
        connection.close()
    if "sessionId" not in value:
        raise RuntimeError(f"Chromium did not start: {value.get('message', '')[:500]}")
    return str(value["sessionId"])
