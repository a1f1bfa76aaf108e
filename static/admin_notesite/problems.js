// Problems beside their lines: "line 12" leads there, and a mark stands beside the line in the text.
// The list itself comes from the server and can be read without this.

/** Where a line begins in the text; lines are counted from 1. */
function startOf(lines, line) {
  return lines.slice(0, line - 1).reduce((length, one) => length + one.length + 1, 0);
}

/** Sets the caret on a problem's place and brings it into view. */
function goTo(editor, place, top) {
  const lines = editor.value.split("\n");
  const line = Math.min(Number(place.dataset.line), lines.length);
  const start = startOf(lines, line);
  const column = Math.min(Number(place.dataset.column || 1), lines[line - 1].length + 1) - 1;
  editor.focus();
  editor.setSelectionRange(start + column, start + lines[line - 1].length);
  editor.scrollTop = Math.max(0, top(line) - editor.clientHeight / 4);
}

/** A copy of the text's layout, to ask how far down a line stands when the lines above are wrapped. */
function mirrorOf(editor) {
  const mirror = document.createElement("div");
  mirror.className = "source-mirror";
  mirror.setAttribute("aria-hidden", "true");
  editor.before(mirror);
  return (wanted) => {
    const style = getComputedStyle(editor);
    for (const name of ["fontFamily", "fontSize", "lineHeight", "letterSpacing", "tabSize", "paddingInline"]) {
      mirror.style[name] = style[name];
    }
    mirror.style.width = `${editor.clientWidth}px`;
    const lines = editor.value.split("\n");
    const marks = new Map();
    let from = 0;
    const pieces = [];
    for (const line of [...wanted].filter((one) => one <= lines.length).sort((a, b) => a - b)) {
      pieces.push(lines.slice(from, line - 1).map((one) => `${one}\n`).join(""));
      const mark = document.createElement("span");
      marks.set(line, mark);
      pieces.push(mark);
      from = line - 1;
    }
    mirror.replaceChildren(...pieces, lines.slice(from).join("\n"));
    const tops = new Map([...marks].map(([line, mark]) => [line, mark.offsetTop]));
    mirror.replaceChildren();
    return tops;
  };
}

/** Keeps the marks beside the text in step with the list of problems. */
export function problemsBeside(editor, list) {
  const gutter = document.createElement("div");
  gutter.className = "source-gutter";
  gutter.setAttribute("aria-hidden", "true"); // the list says it all
  editor.before(gutter);
  const measure = mirrorOf(editor);
  const padding = () => parseFloat(getComputedStyle(editor).paddingBlockStart) || 0;
  const top = (line) => (measure([line]).get(line) ?? 0) + padding();

  const draw = () => {
    const places = [...list.querySelectorAll("[data-line]")];
    const byLine = new Map();
    for (const place of places) {
      const line = Number(place.dataset.line);
      const severity = place.closest(".problem").dataset.severity;
      if (!byLine.has(line) || severity === "error") byLine.set(line, severity);
    }
    const tops = measure(byLine.keys());
    const marks = [...tops].map(([line, height]) => {
      const mark = document.createElement("span");
      mark.className = `source-mark source-mark-${byLine.get(line)}`;
      mark.style.insetBlockStart = `${height + padding()}px`;
      return mark;
    });
    gutter.replaceChildren(...marks);
    follow();
  };
  const follow = () => {
    for (const mark of gutter.children) mark.style.translate = `0 ${-editor.scrollTop}px`;
    gutter.style.height = `${editor.clientHeight}px`;
  };

  const show = () => {
    for (const place of list.querySelectorAll("[data-line]")) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = place.textContent;
      button.addEventListener("click", () => goTo(editor, place, top));
      place.replaceChildren(button);
    }
    draw();
  };
  editor.addEventListener("scroll", follow);
  new ResizeObserver(draw).observe(editor);
  show();
  return show;
}
