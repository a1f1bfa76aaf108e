// Problems beside their lines: each leads to its place, and a mark stands beside it in the text.
// The list itself comes from the server and can be read without this.

// Beyond this the browser would lay out a second copy of a very long text for a few marks.
const MEASURED_CHARACTERS = 500_000;

/** A place as an offset into the text; columns count characters, which may be two units long. */
function offsetOf(text, { line, column }) {
  let start = 0;
  for (let number = 1; number < line; number += 1) {
    const end = text.indexOf("\n", start);
    if (end < 0) break;
    start = end + 1;
  }
  const end = text.indexOf("\n", start);
  const before = [...text.slice(start, end < 0 ? text.length : end)].slice(0, column - 1);
  return start + before.join("").length;
}

const placeOf = ({ dataset }) => ({
  line: Number(dataset.line),
  column: Math.max(1, Number(dataset.column) || 1),
});

/** A copy of the text's layout, to ask how far down a place stands where lines are wrapped. */
function mirrorOf(editor) {
  const mirror = document.createElement("div");
  mirror.className = "source-mirror";
  mirror.setAttribute("aria-hidden", "true");
  editor.before(mirror);

  /** How far down each offset stands, in their order; nothing where it would cost too much. */
  return (offsets) => {
    const sorted = [...new Set(offsets)].sort((one, other) => one - other);
    if (sorted.length === 0 || sorted.at(-1) > MEASURED_CHARACTERS) return new Map();
    const style = getComputedStyle(editor);
    for (const name of ["font", "lineHeight", "letterSpacing", "tabSize", "direction", "padding"]) {
      mirror.style[name] = style[name];
    }
    mirror.style.width = `${editor.clientWidth}px`;
    const text = editor.value;
    const pieces = [];
    const places = new Map();
    let from = 0;
    for (const offset of sorted) {
      const place = document.createElement("span");
      // Without a width the place would cling to the row before a wrapped word.
      place.textContent = text.slice(offset, offset + 1).trim() || "\u200b";
      pieces.push(text.slice(from, offset), place);
      places.set(offset, place);
      from = offset + (place.textContent === "\u200b" ? 0 : 1);
    }
    // The rest of the last row decides where its words are wrapped.
    pieces.push(text.slice(from).split("\n", 1)[0]);
    mirror.replaceChildren(...pieces);
    const tops = new Map([...places].map(([offset, place]) => [offset, place.offsetTop]));
    mirror.replaceChildren();
    return tops;
  };
}

/** Sets the caret on a problem's place and brings it into view. */
function goTo(editor, place, measure) {
  const offset = offsetOf(editor.value, place);
  editor.focus();
  editor.setSelectionRange(offset, offset);
  const height = parseFloat(getComputedStyle(editor).lineHeight) || 20;
  const top = measure([offset]).get(offset) ?? (place.line - 1) * height;
  editor.scrollTop = Math.max(0, top - editor.clientHeight / 4);
}

/** Keeps the marks beside the text in step with the list of problems. */
function marksBeside(editor, list, measure) {
  const gutter = document.createElement("div");
  gutter.className = "source-gutter";
  gutter.setAttribute("aria-hidden", "true"); // the list says it all
  const sheet = document.createElement("div");
  gutter.append(sheet);
  editor.before(gutter);

  const follow = () => {
    sheet.style.translate = `0 ${-editor.scrollTop}px`;
    gutter.style.height = `${editor.clientHeight}px`;
  };
  const draw = () => {
    const found = [...list.querySelectorAll("[data-line]")].map((element) => {
      const problem = element.closest(".problem");
      return {
        offset: offsetOf(editor.value, placeOf(element)),
        severity: problem.dataset.severity,
        message: problem.querySelector(".problem-message").textContent.trim(),
        element,
      };
    });
    const tops = measure(found.map(({ offset }) => offset));
    const grave = ["error", "warning", "notice"];
    const rows = Map.groupBy(found, ({ offset }) => tops.get(offset));
    rows.delete(undefined);
    const marks = [...rows].map(([top, problems]) => {
      problems.sort((one, other) => grave.indexOf(one.severity) - grave.indexOf(other.severity));
      const mark = document.createElement("span");
      mark.className = `source-mark source-mark-${problems[0].severity}`;
      mark.title = problems.map(({ message }) => message).join("\n");
      mark.style.insetBlockStart = `${top}px`;
      mark.addEventListener("click", () => goTo(editor, placeOf(problems[0].element), measure));
      return mark;
    });
    sheet.replaceChildren(...marks);
    gutter.classList.remove("is-outdated");
    follow();
  };
  editor.addEventListener("input", () => gutter.classList.add("is-outdated"));
  editor.addEventListener("scroll", follow);
  new ResizeObserver(draw).observe(editor);
  return draw;
}

/** Lets each problem in these elements lead to its place, by button or by a click anywhere in it. */
function leadToPlaces(parent, go) {
  for (const element of parent.querySelectorAll(".problem [data-line]")) {
    const problem = element.closest(".problem");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = element.textContent;
    const message = problem.querySelector(".problem-message").textContent.trim();
    button.setAttribute("aria-label", `${button.textContent}: ${message}`);
    element.replaceChildren(button);
    problem.classList.add("leads");
    problem.addEventListener("click", () => {
      // Who marks a word to copy it wants to stay.
      if (getSelection().isCollapsed) go(placeOf(element));
    });
  }
}

function problemsBeside(wrapper) {
  const editor = wrapper.querySelector("textarea");
  const list = wrapper.querySelector("[data-problems]");
  const measure = mirrorOf(editor);
  const go = (place) => goTo(editor, place, measure);
  const draw = marksBeside(editor, list, measure);
  const facts = [".problem-count", ".problem-length"].map((name) => wrapper.querySelector(name));

  leadToPlaces(editor.form, go);
  draw();
  const wanted = /^#line-(\d+)-(\d+)$/.exec(location.hash);
  if (wanted) go({ line: Number(wanted[1]), column: Math.max(1, Number(wanted[2])) });

  // An answer of the preview, and never one that is older than what is shown: editor.js sees to it.
  wrapper.addEventListener("notesite:problems", ({ detail: answer }) => {
    for (const fact of facts) {
      const now = answer.querySelector(`.${fact.className}`).textContent;
      // What stays as it is isn't announced again.
      if (fact.textContent !== now) fact.textContent = now;
    }
    list.replaceChildren(answer.querySelector(".problem-items"));
    leadToPlaces(list, go);
    draw();
  });
}

for (const wrapper of document.querySelectorAll(".source-editor")) problemsBeside(wrapper);
