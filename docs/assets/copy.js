// The button beside a session copies its program: no prompts, and no answers.
document$.subscribe(() => {
  for (const code of document.querySelectorAll(".highlight code:has(.gp)")) {
    const lines = code.textContent.split("\n").filter((line) => /^(>>>|\.\.\.)( |$)/.test(line));
    code.closest(".highlight").dataset.copy = lines.map((line) => line.slice(4)).join("\n");
  }
});
