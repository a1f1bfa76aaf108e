// Mends django-markdownx's field and adds to it: Tab moves on, undo survives, uploads say what
// went wrong, the preview is shown with the site's own sheets. The field works without any of this.

const LARGEST_SOURCE = 5 * 1024 * 1024;
const LARGEST_IMAGE = 10 * 1024 * 1024;

const say = (template, name) => template.replace("{name}", name);

/** Types text in as if by hand, so that the browser can undo it. */
function typeIn(editor, text) {
  editor.focus();
  if (!document.execCommand("insertText", false, text)) {
    editor.setRangeText(text, editor.selectionStart, editor.selectionEnd, "end");
    editor.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

/** An image on an empty line, or after another one, becomes a paragraph: a figure. */
function asParagraph(code, before, after, follows) {
  if (follows) return `\n\n${code}`;
  const isOnEmptyLine = /(^|\n)$/.test(before) && /^(\n|$)/.test(after);
  if (!isOnEmptyLine) return code;
  return (/(^|\n\n)$/.test(before) ? "" : "\n") + code + (/^(\n\n|\n?$)/.test(after) ? "" : "\n");
}

/** Puts `code` behind `before`, wherever the author is by now; what then stands before the next one. */
function insertAfter(editor, before, code, follows) {
  const [from, to] = [editor.selectionStart, editor.selectionEnd];
  const at = editor.value.startsWith(before) ? before.length : from;
  const text = asParagraph(code, editor.value.slice(0, at), editor.value.slice(at), follows);
  const elsewhere = document.activeElement;
  editor.setSelectionRange(at, at);
  typeIn(editor, text);
  const moved = (place) => (place > at ? place + text.length : place);
  if (from !== at) editor.setSelectionRange(moved(from), moved(to));
  if (elsewhere !== editor) elsewhere?.focus();
  return editor.value.slice(0, at + text.trimEnd().length);
}

function keepKeysUsual(editor) {
  // Before markdownx's own listener, which would keep Tab and break undo.
  window.addEventListener(
    "keydown",
    (event) => {
      if (event.target !== editor) return;
      const taken = event.key === "Tab" || ((event.ctrlKey || event.metaKey) && "d[]".includes(event.key));
      if (taken) event.stopImmediatePropagation();
    },
    true,
  );
}

function uploads(wrapper, editor) {
  const { dataset } = wrapper;
  const status = wrapper.querySelector(".source-status");
  const errors = wrapper.querySelector(".source-errors ul");
  const tools = wrapper.querySelector(".source-tools");
  let pending = 0;

  const refuse = (name, sentence) => {
    const item = document.createElement("li");
    item.textContent = `${say(dataset.uploadFailed, name)} ${sentence}`;
    errors.append(item);
  };

  const send = async (file) => {
    const body = new FormData();
    body.append("csrfmiddlewaretoken", editor.form.elements.csrfmiddlewaretoken.value);
    body.append("image", file);
    const response = await fetch(editor.dataset.markdownxUploadUrlsPath, { method: "POST", body });
    return response.json();
  };

  const add = async (files) => {
    errors.replaceChildren();
    let before = editor.value.slice(0, editor.selectionEnd);
    let follows = false;
    // One after the other, so that the images keep their order.
    for (const file of files) {
      status.textContent = say(dataset.uploading, file.name);
      pending += 1;
      let answer = {};
      try {
        answer = file.size > LARGEST_IMAGE ? { error: dataset.uploadTooLarge } : await send(file);
      } catch {
        answer = { error: dataset.uploadNoAnswer };
      }
      pending -= 1;
      if (answer.image_code) {
        before = insertAfter(editor, before, answer.image_code, follows);
        follows = true;
      } else refuse(file.name, answer.error ?? dataset.uploadNoAnswer);
      status.textContent = answer.image_code ? say(dataset.uploaded, answer.name) : "";
    }
  };

  for (const kind of ["paste", "drop"]) {
    // Before markdownx's listeners, which would write "Invalid response" into the text.
    window.addEventListener(
      kind,
      (event) => {
        const files = [...((event.clipboardData ?? event.dataTransfer)?.files ?? [])];
        if (event.target !== editor || files.length === 0) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        add(files);
      },
      true,
    );
  }

  const input = tools.querySelector("input");
  input.addEventListener("change", () => {
    const files = [...input.files];
    input.value = "";
    add(files);
  });
  tools.hidden = false;

  editor.form.addEventListener("submit", (event) => {
    const tooLong = new Blob([editor.value]).size > LARGEST_SOURCE;
    if (!pending && !tooLong) return;
    event.preventDefault();
    const item = document.createElement("li");
    item.textContent = tooLong ? dataset.tooLong : dataset.uploadPending;
    errors.replaceChildren(item);
  });
}

/**
 * Sends the settings along with the text that markdownx sends, which has no door for more; and
 * keeps an answer that comes late, or a refusal, from taking the place of a newer one.
 */
function completeRequests(editor) {
  const settings = ["macros", "lang", "about"].map((name) => editor.form.elements[name]).filter(Boolean);
  const send = XMLHttpRequest.prototype.send;
  let asked = 0;
  let answered = 0;
  XMLHttpRequest.prototype.send = function sendWithSettings(body) {
    if (body instanceof FormData && body.has("content")) {
      for (const field of settings) body.append(field.name, field.value);
      asked += 1;
      const number = asked;
      for (const kind of ["onload", "onerror"]) {
        const handle = this[kind];
        this[kind] = (event) => {
          if (number < answered) return;
          answered = number;
          handle.call(this, event);
        };
      }
    }
    send.call(this, body);
  };
  for (const field of settings) {
    field.addEventListener("input", () => editor.dispatchEvent(new Event("input")));
  }
}

function previews(wrapper, editor) {
  const host = wrapper.querySelector(".markdownx-preview");
  const page = host.shadowRoot?.querySelector(".prose");
  const status = wrapper.querySelector(".preview-status");
  if (!page) return;
  completeRequests(editor);

  const show = (event) => {
    // markdownx has put the answer into the light tree, where its ids would stand twice.
    host.replaceChildren();
    const answer = new DOMParser().parseFromString(event.detail[0] ?? "", "text/html");
    const note = answer.querySelector(".preview-note");
    if (!note) {
      const refusal = answer.querySelector(".preview-refusal");
      status.textContent = refusal?.textContent ?? wrapper.dataset.previewFailed;
      return;
    }
    status.textContent = "";
    page.lang = note.lang;
    page.replaceChildren(...note.childNodes);
    const list = answer.querySelector(".problem-list");
    // For problems.js, whose hashed name only the page knows.
    wrapper.dispatchEvent(new CustomEvent("notesite:problems", { detail: list }));
  };
  // An answer of any status is an update to markdownx; an error is no answer.
  wrapper.addEventListener("markdownx.update", show);
  wrapper.addEventListener("markdownx.updateError", show);

  host.shadowRoot.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link) return;
    event.preventDefault(); // leaving would lose what is typed
    const address = link.getAttribute("href");
    if (address.startsWith("#")) {
      host.shadowRoot.getElementById(decodeURIComponent(address.slice(1)))?.scrollIntoView();
    } else {
      window.open(link.href, "_blank", "noopener");
    }
  });
}

/** Warns before a changed form is left in any way but by saving it. */
function guard(form) {
  const state = () => new URLSearchParams(new FormData(form)).toString();
  const before = state();
  const refused = form.querySelector(".errornote") !== null; // what came back is stored nowhere
  let leaving = false;
  form.addEventListener("submit", (event) => {
    leaving = !event.defaultPrevented;
  });
  window.addEventListener("beforeunload", (event) => {
    if (!leaving && (refused || state() !== before)) event.preventDefault();
  });
}

for (const wrapper of document.querySelectorAll(".source-editor")) {
  const editor = wrapper.querySelector("textarea");
  keepKeysUsual(editor);
  uploads(wrapper, editor);
  previews(wrapper, editor);
  guard(editor.form);
}
