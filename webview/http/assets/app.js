// SPDX-License-Identifier: Apache-2.0
// The plain page: levels of each database, and every resource of the API with its JSON. All text is
// inserted as text nodes, so that no data of a database is interpreted as markup.

const $ = (id) => document.getElementById(id);

function make(tag, text, properties = {}) {
  const node = Object.assign(document.createElement(tag), properties);
  if (text !== undefined) node.append(text);
  return node;
}

// The token follows '#', is kept in this tab only, and is removed from the address bar and the
// history.
function takeToken() {
  const given = /^#token=(.+)$/.exec(location.hash);
  if (given) {
    sessionStorage.setItem("token", given[1]);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("token");
}

async function ask(path) {
  const reply = await fetch(path, { headers: { Authorization: `Bearer ${takeToken() ?? ""}` } });
  if (reply.status === 401) {
    sessionStorage.removeItem("token");
    $("ask").hidden = false;
  }
  if (!reply.ok) throw new Error((await reply.json()).detail ?? reply.statusText);
  return reply;
}

function humanBytes(n) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  for (; n >= 1024 && unit + 1 < units.length; unit += 1) n /= 1024;
  return `${unit === 0 ? n : n.toFixed(1)} ${units[unit]}`;
}

function row(cells) {
  const line = make("tr");
  for (const [text, kind] of cells) line.append(make("td", text, { className: kind ?? "" }));
  return line;
}

function showFamily(family) {
  const box = make("div");
  box.append(make("h3", `Column family ${family.cf}`));
  const summary = `${family.files} ${family.files === 1 ? "file" : "files"}, ${humanBytes(family.bytes)}, ${family.comparator}`;
  box.append(make("p", summary, { className: "quiet" }));
  const largest = Math.max(1, ...family.levels.map((level) => level.bytes));
  const table = make("table");
  const head = make("tr");
  head.append(make("th", "level"));
  for (const name of ["files", "bytes"]) head.append(make("th", name, { className: "number" }));
  head.append(make("th", "", { className: "wide" }));
  table.append(head);
  for (const level of family.levels) {
    if (level.files === 0) continue;
    const bar = make("meter", undefined, { max: largest, value: level.bytes });
    bar.setAttribute("aria-label", `bytes of level ${level.level}`);
    table.append(row([[`L${level.level}`], [level.files.toLocaleString("en"), "number"],
      [humanBytes(level.bytes), "number"], [bar, "wide"]]));
  }
  if (family.files > 0) box.append(table);
  return box;
}

async function showTarget(target) {
  const box = make("div", undefined, { className: "panel" });
  $("targets").append(box);
  box.append(make("h2", target.name));
  const kinds = { db: "a database", sst: "a table file", manifest: "a MANIFEST", wal: "a log" };
  box.append(make("p", `${target.id}: ${kinds[target.kind] ?? target.kind}` +
    (target.live ? ", open in this process" : ", read from its files"), { className: "quiet" }));
  try {
    const report = await (await ask(`/api/v1/targets/${target.id}`)).json();
    for (const family of report.db?.cfs ?? []) box.append(showFamily(family));
    if (report.size !== undefined) box.append(make("p", humanBytes(report.size)));
    for (const name of report.db?.missing ?? []) box.append(make("p", `missing: ${name}`));
  } catch (error) {
    box.append(make("p", error.message));
  }
}

async function show(path) {
  $("shown").textContent = path;
  try {
    const text = await (await ask(path)).text();
    try {
      $("json").textContent = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      $("json").textContent = text;
    }
  } catch (error) {
    $("json").textContent = error.message;
  }
}

// "/targets/{t}/files/{n}" with the user's input for each part; null if the user cancels.
function fill(pattern, target) {
  let path = pattern;
  for (const [part, name] of pattern.matchAll(/\{(\w+)\}/g)) {
    const usual = { t: target, cf: "default" }[name] ?? "";
    const said = prompt(`${name} =`, usual);
    if (said === null) return null;
    path = path.replace(part, encodeURIComponent(said));
  }
  return path;
}

async function showResources(target) {
  const api = await (await ask("/api/v1/openapi.json")).json();
  for (const [pattern, methods] of Object.entries(api.paths)) {
    if (!methods.get) continue;
    const full = pattern.startsWith("/api") ? pattern : `/api/v1${pattern}`;
    const link = make("a", full, { href: full });
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const path = fill(full, target);
      if (path !== null) void show(path);
    });
    const item = make("li");
    item.append(link, make("span", methods.get.summary ?? ""));
    $("list").append(item);
  }
  $("resources").hidden = false;
}

async function start() {
  for (const place of document.querySelectorAll(".origin")) place.textContent = location.origin;
  if (!takeToken()) {
    $("ask").hidden = false;
    return;
  }
  try {
    const root = await (await ask("/api/v1/")).json();
    $("ask").hidden = true;
    $("version").textContent = `${root.version} ${root.capabilities.write ? "" : "read-only"}`;
    for (const target of root.targets) await showTarget(target);
    await showResources(root.targets[0]?.id ?? "t1");
    await show("/api/v1/");
  } catch (error) {
    $("trouble").textContent = error.message;
    $("trouble").hidden = false;
  }
}

$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  location.hash = `token=${$("token").value.trim()}`;
  location.reload();
});
void start();
