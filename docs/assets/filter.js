// A line above every table of ten rows or more, and every list of thirty, that hides what lacks the words written into it.
document$.subscribe(() => {
  const tables = [...document.querySelectorAll("article table")].map((table) => [table, [...table.querySelectorAll("tbody tr")], 10]);
  const lists = [...document.querySelectorAll("article ul")].map((list) => [list, [...list.children], 30]);
  for (const [whole, parts, least] of [...tables, ...lists]) {
    if (parts.length < least || whole.dataset.filtered) continue;
    whole.dataset.filtered = "yes";
    const line = document.createElement("p"), input = document.createElement("input"), count = document.createElement("small");
    input.type = "search";
    input.placeholder = `Filter ${parts.length} ${whole.tagName === "UL" ? "entries" : "rows"}: words, in any order`;
    input.setAttribute("aria-label", input.placeholder);
    input.style.cssText = "width:min(30em,80%);padding:.4em .6em;margin-right:.8em;border:1px solid;border-radius:.2em;background:inherit;color:inherit;font:inherit";
    count.setAttribute("aria-live", "polite");
    const texts = parts.map((part) => part.textContent.toLowerCase());
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/);
      parts.forEach((part, i) => part.hidden = !words.every((word) => texts[i].includes(word)));
      count.textContent = input.value.trim() && `${parts.filter((part) => !part.hidden).length} of ${parts.length}`;
    });
    line.append(input, count);
    (whole.closest(".md-typeset__scrollwrap") ?? whole).before(line);
  }
});
