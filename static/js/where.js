// Marks in the contents and the rail where one is; without it they are plain lists of links.
const links = new Map();
for (const link of document.querySelectorAll(":is(.contents, .rail) a")) {
  const anchor = decodeURIComponent(link.hash.slice(1));
  links.set(anchor, [...(links.get(anchor) ?? []), link]);
}
const headings = [...links.keys()].map((anchor) => document.getElementById(anchor)).filter(Boolean);
const inTheRail = new Set(
  [...document.querySelectorAll(".rail a")].map((link) => decodeURIComponent(link.hash.slice(1))),
);

const mark = () => {
  const line = innerHeight / 3;
  const passed = headings.filter((heading) => heading.getBoundingClientRect().top < line);
  const here = passed.at(-1)?.id;
  const part = passed.findLast((heading) => inTheRail.has(heading.id))?.id;
  for (const [anchor, group] of links) {
    for (const link of group) {
      const isHere = anchor === (link.closest(".rail") ? part : here);
      if (isHere) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    }
  }
};

let waiting = false;
const later = () => {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    mark();
  });
};

if (headings.length) {
  addEventListener("scroll", later, { passive: true });
  addEventListener("resize", later);
  mark();
}
// Choosing a heading in the folded list closes it, so that the text is in view.
document.querySelector(".contents-list")?.addEventListener("click", (event) => {
  const fold = event.target.closest("details");
  if (event.target.closest("a") && fold?.querySelector("summary").offsetParent) fold.open = false;
});
