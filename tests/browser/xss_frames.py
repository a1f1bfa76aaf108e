"""Documents that may attack, each in a frame of its own, and what ran in which of them.

A frame made of `srcdoc` has its page's origin and policy. What succeeds calls `run()`, which tells
the page at the top which frame it was; dialogs count as well, and requests to the attacker's host.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

ATTACKER = "evil.example"
AT_ONCE = 80

# In every document, also those that a payload makes.
REPORT = """
    window.run = () => {
      console.debug("attack: ran");
      top.postMessage("attack: ran", "*");
      if (opener) opener.postMessage("attack: ran", "*");
    };
    for (const name of ["alert", "confirm", "prompt", "print"]) window[name] = window.run;
"""
FRAMES = """
    async ([documents, before]) => {
      const ran = new Set();
      const frames = documents.map(() => document.createElement("iframe"));
      const numberOf = (view) => {
        while (view.parent !== view && view.parent !== window) view = view.parent;
        return frames.findIndex((frame) => frame.contentWindow === view);
      };
      addEventListener("message", (event) => {
        if (event.data === "attack: ran") ran.add(event.source ? numberOf(event.source) : -1);
      });
      const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
      const loaded = frames.map(
        (frame, number) =>
          new Promise((resolve) => {
            frame.width = frame.height = 300;
            frame.name = `attack-${number}`;
            frame.addEventListener("load", resolve, { once: true });
            frame.srcdoc = documents[number];
          }),
      );
      document.body.replaceChildren(...frames);
      await Promise.race([Promise.all(loaded), pause(8000)]);
      await pause(before);
      let seen = 0;
      const inside = (frame) => {
        try {
          return frame.contentDocument?.body ? frame.contentDocument : null;
        } catch {
          return null; // it has gone elsewhere
        }
      };
      const isWeb = (address) => /^(https?|mailto|tel):/.test(address);
      const leaveAlone = (view) => {
        // A click on a link of the web leads away, as it should; only that is held back.
        view.addEventListener("click", (event) => {
          const link = event.target.closest?.("a, area");
          if (link && isWeb(new URL(link.href?.animVal ?? link.href, view.location).href)) {
            event.preventDefault();
          }
        });
        view.addEventListener("submit", (event) => {
          const button = event.submitter;
          const own = button?.hasAttribute("formaction") ? button.formAction : event.target.action;
          if (typeof own === "string" && isWeb(new URL(own, view.location).href)) {
            event.preventDefault();
          }
        });
      };
      const attempt = (deed) => {
        try {
          deed();
        } catch {
          // what a payload has broken or shadowed is not there to be clicked
        }
      };
      const touch = (frame) => {
        const page = inside(frame);
        if (!page) return;
        seen += 1;
        const view = frame.contentWindow;
        const get = Element.prototype.getAttributeNames;
        attempt(() => leaveAlone(view));
        for (const element of Document.prototype.querySelectorAll.call(page, "*")) {
          const events = get.call(element).filter((name) => name.startsWith("on"));
          for (const name of events) {
            const event = new view.Event(name.slice(2), { bubbles: true, cancelable: true });
            attempt(() => EventTarget.prototype.dispatchEvent.call(element, event));
          }
          if (element.localName === "details") element.open = true;
          const links = element.matches("a, area, [href]") && !isWeb(element.href);
          if (!links && !events.length && !element.matches("button, input, summary")) continue;
          attempt(() => element.focus());
          const click = new view.MouseEvent("click", { bubbles: true, cancelable: true, view });
          attempt(() => EventTarget.prototype.dispatchEvent.call(element, click));
        }
        attempt(() => page.getSelection().selectAllChildren(page.body));
      };
      frames.forEach(touch);
      await pause(before);
      // Read once more, as an editor or a reader of feeds would: what mutates does so now.
      for (const frame of frames) {
        const page = inside(frame);
        if (!page) continue;
        attempt(() => {
          const content = page.body.innerHTML;
          page.body.innerHTML = content;
          page.body.innerHTML = page.body.innerHTML;
        });
      }
      await pause(before);
      return { ran: [...ran], seen };
    }
"""


@dataclass
class Outcome:
    """The names of the documents in which something ran, how many were there, and who was asked."""

    ran: list[str] = field(default_factory=list)
    seen: int = 0
    asked: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)  # what dialogs said
    refused: int = 0  # times that the policy had to say no


def run(browser: Any, base: str, documents: Mapping[str, str], *, policy: bool) -> Outcome:
    """Open each document in a frame of the site's own page, with its policy or without."""
    outcome = Outcome()
    names = list(documents)
    context = browser.new_context(base_url=base, bypass_csp=not policy)
    context.set_default_timeout(60_000)
    context.add_init_script(REPORT)
    batch: list[str] = []

    def name_of(frame: Any) -> str:
        while frame.parent_frame and frame.parent_frame.parent_frame:
            frame = frame.parent_frame
        number = frame.name.removeprefix("attack-")
        return batch[int(number)] if number.isdecimal() else "?"

    def ask(request: Any) -> None:
        # With the policy a request is heard of also where it is then refused.
        if not policy and urlsplit(request.url).hostname == ATTACKER:
            outcome.asked.append(name_of(request.frame))

    def hear(message: Any) -> None:
        if "Content Security Policy" in message.text:
            outcome.refused += 1

    context.on("request", ask)
    context.on("console", hear)
    context.on("dialog", lambda dialog: (outcome.told.append(dialog.message), dialog.dismiss()))
    for start in range(0, len(names), AT_ONCE):
        batch[:] = names[start : start + AT_ONCE]
        page = context.new_page()
        page.goto("/robots.txt")
        found = page.evaluate(FRAMES, [[documents[name] for name in batch], 120])
        outcome.ran += [batch[number] if number >= 0 else "?" for number in found["ran"]]
        outcome.seen += found["seen"]
        page.close()
    context.close()
    return outcome
