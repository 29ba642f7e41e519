// Before the first paint: the theme that this visitor chose.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is barred: the system's theme stays.
}
