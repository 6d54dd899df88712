// A line above every long table that hides the rows without the words written into it.
document$.subscribe(() => {
  for (const table of document.querySelectorAll("article table")) {
    const rows = [...table.querySelectorAll("tbody tr")];
    if (rows.length < 30 || table.dataset.filtered) continue;
    table.dataset.filtered = "yes";
    const line = document.createElement("input");
    line.type = "search";
    line.placeholder = `Filter ${rows.length} rows`;
    line.setAttribute("aria-label", line.placeholder);
    line.style.cssText = "width:100%;padding:.4em .6em;margin:.5em 0;border:1px solid;border-radius:.2em;background:inherit;color:inherit";
    line.addEventListener("input", () => {
      const words = line.value.toLowerCase().split(/\s+/);
      for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    });
    (table.closest(".md-typeset__scrollwrap") ?? table).before(line);
  }
});
