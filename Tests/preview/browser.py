"""Drives a headless Chromium over the DevTools protocol, with nothing but Python's standard library.

Protocol: https://chromedevtools.github.io/devtools-protocol/
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Navigated(RuntimeError):
    """The page was replaced by another while it evaluated an expression."""


class Browser:
    """A browser with one page. Everything on the page's console that is an error is in `errors`, the URLs that it has
    asked for are in `asked`, and the status of those that were answered in `requests`."""

    def __init__(self, width=1280, height=800, scale=1, dark=False, touch=False):
        self.profile = tempfile.mkdtemp(prefix="pyramid-chromium-")
        commands_out, commands_in = os.pipe()
        answers_out, answers_in = os.pipe()
        # The browser reads commands from descriptor 3 and writes answers to 4; each ends with a zero byte. The shell
        # puts them there, whatever their numbers are here.
        script = f'exec "$0" "$@" 3<&{commands_out} 4>&{answers_in}'
        self.process = subprocess.Popen(
            [
                "bash",
                "-c",
                script,
                shutil.which("chromium") or "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-extensions",
                "--disable-component-update",
                "--hide-scrollbars",
                "--remote-debugging-pipe",
                f"--user-data-dir={self.profile}",
                "about:blank",
            ],
            pass_fds=(commands_out, answers_in),
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        os.close(commands_out)
        os.close(answers_in)
        self.commands, self.answers = commands_in, answers_out
        self.buffer, self.number, self.session, self.errors, self.requests, self.asked = b"", 0, None, [], {}, set()
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.scale = scale
        self.resize(width, height, touch)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive(300)
            if answer.get("id") == self.number:
                if "error" in answer:
                    navigated = answer["error"]["message"] in (
                        "Inspected target navigated or closed",
                        "Execution context was destroyed.",
                        "Cannot find default execution context",
                    )
                    raise (Navigated if navigated else RuntimeError)(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self, seconds):
        deadline = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.answers], [], [], max(deadline - time.monotonic(), 0))
            piece = os.read(self.answers, 1 << 20) if ready else b""
            if not piece:
                raise RuntimeError("the browser does not answer")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        self.note(message.get("method"), message.get("params", {}))
        return message

    def note(self, method, event):
        if method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and event["type"] in ("error", "warning", "assert"):
            self.errors.append(" ".join(str(part.get("value", part.get("description"))) for part in event["args"]))
        elif method == "Log.entryAdded" and event["entry"]["level"] in ("error", "warning"):
            self.errors.append(f"{event['entry']['text']} {event['entry'].get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.asked.add(event["request"]["url"])
        elif method == "Network.responseReceived":
            self.requests[event["response"]["url"]] = event["response"]["status"]

    def resize(self, width, height, touch=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=self.scale, mobile=touch)
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)

    def open(self, url):
        self.call("Page.navigate", url=url)

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, expression, seconds=90):
        """Waits until an expression is true, and gives its value. Without a GPU and on a busy machine, one frame of a globe can take ten seconds."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                value = self.evaluate(expression)
            except Navigated:
                value = None
            if value:
                return value
            if time.monotonic() > deadline:
                raise RuntimeError(f"never came true: {expression}; console: {self.errors}")
            time.sleep(0.03)

    def click(self, x, y):
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            button = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **button)

    def drag(self, x, y, to_x, to_y, steps=10):
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", clickCount=1)
        for step in range(1, steps + 1):
            self.call(
                "Input.dispatchMouseEvent",
                type="mouseMoved",
                x=x + (to_x - x) * step / steps,
                y=y + (to_y - y) * step / steps,
                button="left",
                buttons=1,
            )
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=to_x, y=to_y, button="left", clickCount=1)

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            text = {"text": "\r" if key == "Enter" else key} if kind == "keyDown" and (len(key) == 1 or key == "Enter") else {}
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code="Enter" if key == "Enter" else "",
                windowsVirtualKeyCode={"Enter": 13, "Escape": 27}.get(key, 0),
                **text,
            )

    def picture(self):
        """The page as the bytes of a PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(self.picture())
