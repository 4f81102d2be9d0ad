/* Links and fingerprints to be copied: whole at a click into the field, or by the button beside it. */
"use strict";

(() => {
  document.documentElement.classList.add("js");

  document.addEventListener("focusin", (event) => {
    if (event.target.matches(".copy :read-only:is(input, textarea)")) event.target.select();
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy");
    }
    button.querySelector("span").textContent = button.dataset.done;
  });
})();
