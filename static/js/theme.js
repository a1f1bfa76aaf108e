// Light, dark or as the system ("auto", the admin's word; both read one choice). It runs in the head, before anything is painted.
(() => {
  const root = document.documentElement;
  const apply = (choice) => {
    if (choice === "light" || choice === "dark") root.dataset.theme = choice;
    else delete root.dataset.theme;
  };
  let choice = "auto";
  try {
    choice = localStorage.getItem("theme") ?? "auto";
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
  root.dataset.scripts = "";
  apply(choice);

  addEventListener("DOMContentLoaded", () => {
    for (const input of document.querySelectorAll("input[name=theme]")) {
      input.checked = input.value === choice;
      input.addEventListener("change", () => {
        apply(input.value);
        try {
          localStorage.setItem("theme", input.value);
        } catch {
          // As above.
        }
      });
    }
  });
  // Another tab of the same site chose.
  addEventListener("storage", (event) => {
    if (event.key !== "theme") return;
    apply(event.newValue);
    const input = document.querySelector(`input[name=theme][value="${event.newValue ?? "auto"}"]`);
    if (input) input.checked = true;
  });
})();
