// Puts entries in order by dragging and by keys. Each entry has a number field that says its place;
// without this script one writes the numbers.

const STEP = { ArrowUp: -1, ArrowDown: 1 };

class Order {
  constructor(list) {
    this.list = list;
    this.words = list.querySelector("[data-order-words]")?.dataset ?? list.dataset;
    this.spoken = list.querySelector("[data-order-spoken]");
    this.dragged = null;
    for (const entry of this.entries()) this.equip(entry);
    list.addEventListener("keydown", (event) => this.onKey(event));
    list.addEventListener("formset:added", (event) => {
      this.equip(event.target);
      this.number();
    });
    // Django numbers the forms by where they stand: stored ones must be first for that moment.
    document.addEventListener("formset:removed", () => {
      this.sort((entry) => (entry.classList.contains("has_original") ? 0 : 1));
      setTimeout(() => {
        this.sort((entry) => Number(this.field(entry).value));
        this.number();
      });
    });
    this.sort((entry) => Number(this.field(entry).value) || Infinity);
  }

  entries() {
    const all = this.list.querySelectorAll(this.list.dataset.order);
    return [...all].filter((entry) => !entry.classList.contains("empty-form") && this.field(entry));
  }

  field(entry) {
    return entry.querySelector("input[name$=-position]");
  }

  name(entry) {
    const chosen = entry.querySelector("select option:checked")?.textContent.trim();
    return chosen || entry.querySelector("th a, .inline_label")?.textContent.trim() || "";
  }

  sort(key) {
    const sorted = this.entries().map((entry, at) => [key(entry), at, entry]);
    sorted.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
    const places = this.entries();
    const marks = places.map((entry) => {
      const mark = document.createComment("");
      entry.replaceWith(mark);
      return mark;
    });
    marks.forEach((mark, at) => mark.replaceWith(sorted[at][2]));
  }

  number() {
    const fields = this.entries().map((entry) => this.field(entry));
    const first = Math.max(1, Math.min(...fields.map((field) => Number(field.value) || Infinity)));
    const start = this.list.dataset.orderFrom === "lowest" && Number.isFinite(first) ? first : 1;
    fields.forEach((field, at) => {
      field.value = start + at;
    });
  }

  equip(entry) {
    const tools = document.createElement("span");
    tools.className = "order-tools";
    const handle = document.createElement("span");
    handle.className = "order-handle";
    handle.title = this.words.drag;
    handle.textContent = "⠿";
    handle.setAttribute("aria-hidden", "true");
    handle.addEventListener("pointerdown", (event) => this.startDrag(event, handle, entry));
    tools.append(handle, this.button(entry, -1), this.button(entry, 1));
    const place = entry.querySelector("h3") ?? this.field(entry).parentElement;
    place.prepend(tools);
  }

  button(entry, by) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = by < 0 ? "order-up" : "order-down";
    button.textContent = by < 0 ? "↑" : "↓";
    const words = by < 0 ? this.words.up : this.words.down;
    const label = () => button.setAttribute("aria-label", words.replace("{name}", this.name(entry)));
    label();
    button.addEventListener("focus", label);
    button.addEventListener("click", () => {
      this.move(entry, by);
      button.focus();
    });
    return button;
  }

  onKey(event) {
    const entry = event.target.closest(this.list.dataset.order);
    // In a text or a choice these keys have a meaning of their own.
    if (event.target.closest("textarea, select, .select2-container")) return;
    if (!event.altKey || !(event.key in STEP) || !entry) return;
    event.preventDefault();
    this.move(entry, STEP[event.key]);
    event.target.focus();
  }

  move(entry, by) {
    const entries = this.entries();
    const other = entries[entries.indexOf(entry) + by];
    if (!other) return;
    if (by < 0) other.before(entry);
    else other.after(entry);
    this.settle(entry);
  }

  settle(entry) {
    this.number();
    entry.querySelector("input[name$=-position]").dispatchEvent(new Event("change", { bubbles: true }));
    if (!this.spoken) return;
    const place = String(this.entries().indexOf(entry) + 1);
    this.spoken.textContent = this.words.moved
      .replace("{name}", this.name(entry))
      .replace("{place}", place)
      .replace("{count}", String(this.entries().length));
  }

  startDrag(event, handle, entry) {
    if (event.button !== 0) return;
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    entry.classList.add("order-dragged");
    const drag = (move) => {
      const entries = this.entries();
      const others = entries.filter((other) => other !== entry);
      const below = others.findIndex((other) => {
        const box = other.getBoundingClientRect();
        return move.clientY < box.top + box.height / 2;
      });
      const place = below < 0 ? others.length : below;
      if (entries.indexOf(entry) === place) return;
      // The others move around the dragged one: taken out of the page it would lose the pointer.
      for (const other of others.slice(0, place)) entry.before(other);
      for (const other of others.slice(place).reverse()) entry.after(other);
    };
    const drop = () => {
      handle.removeEventListener("pointermove", drag);
      entry.classList.remove("order-dragged");
      this.settle(entry);
    };
    handle.addEventListener("pointermove", drag);
    handle.addEventListener("lostpointercapture", drop, { once: true });
  }
}

for (const list of document.querySelectorAll("[data-order]")) new Order(list);
