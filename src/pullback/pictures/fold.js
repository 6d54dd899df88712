(() => {
"use strict";
// Places and draws the boxes anew when a group is folded or unfolded, as placing.py and svg.py do.
const at = document.getElementById(NAME);
let data, S, boxes, open;

function read() {
  data = JSON.parse(DATA);
  S = data.sizes;
  open = new Set(data.open);
  for (const group in data.ports) data.ports[group] = data.ports[group].map(side => new Map(side));
  boxes = data.boxes.map(row => Object.fromEntries(data.fields.map((field, i) => [field, row[i]])));
}
const isOpen = i => open.has(i) && boxes[i].children.length > 0;

function apart(wanted, sizes) {
  const pools = [], offsets = [], starts = [];
  let offset = 0;
  wanted.forEach((center, i) => {
    const [, height, port] = sizes[i];
    offsets.push(offset + port);
    let total = center - offset - port, count = 1;
    while (pools.length && pools.at(-1)[0] * count >= total * pools.at(-1)[1]) {
      const [before, number] = pools.pop();
      total += before;
      count += number;
    }
    pools.push([total, count]);
    offset += height + S.ROW;
  });
  for (const [total, count] of pools) for (let i = 0; i < count; i++) starts.push(total / count);
  return starts.map((start, i) => start + offsets[i]);
}

function place() {
  const size = new Map(), local = new Map(), edge = new Map(), groups = [data.root];
  for (const group of groups) groups.push(...boxes[group].children.filter(isOpen));
  const measured = item => {
    if (size.has(item)) return [...size.get(item), size.get(item)[1] / 2];
    const [w, h, port] = item < boxes.length ? [boxes[item].width, boxes[item].height, S.HEIGHT / 2] : [0, S.TURN, S.TURN / 2];
    size.set(item, [w, h]);
    return [w, h, port];
  };
  const placeBand = ([columns, , left, right], top) => {
    const sizes = new Map(), centers = new Map();
    let x = left ? 0 : S.PAD;
    for (const column of columns) {
      for (const item of column) sizes.set(item, measured(item));
      const wide = Math.max(...column.map(item => sizes.get(item)[0]));
      let y = -column.reduce((sum, item) => sum + sizes.get(item)[1] + S.ROW, 0) / 2;
      for (const item of column) {
        local.set(item, [x, 0]);
        edge.set(item, x + wide);
        if (item >= boxes.length) size.set(item, [wide, S.TURN]);
        centers.set(item, y + sizes.get(item)[2]);
        y += sizes.get(item)[1] + S.ROW;
      }
      x += wide + S.GAP;
    }
    for (let sweep = 0; sweep < S.SWEEPS; sweep++) {
      const known = sweep % 2 ? data.after : data.before;
      for (const column of sweep % 2 ? [...columns].reverse() : columns) {
        const wanted = column.map(item => {
          const near = known[item] || [];
          return near.length ? near.reduce((sum, n) => sum + centers.get(n), 0) / near.length : centers.get(item);
        });
        apart(wanted, column.map(item => sizes.get(item))).forEach((center, i) => centers.set(column[i], center));
      }
    }
    let first = Infinity, last = -Infinity;
    for (const [item, center] of centers) {
      const [, h, port] = sizes.get(item);
      first = Math.min(first, center - port);
      last = Math.max(last, center - port + h);
    }
    for (const [item, center] of centers) local.set(item, [local.get(item)[0], center - sizes.get(item)[2] - first + top]);
    return [x - S.GAP + (right ? 0 : S.PAD), last - first];
  };
  for (const group of [...groups].reverse()) {
    let top = S.HEAD, width = boxes[group].width + 2 * S.PAD;
    for (const band of data.bands[group]) {
      const [wide, high] = placeBand(band, top);
      top += high + S.ROW * 2;
      width = Math.max(width, wide);
    }
    for (const [columns, backward] of data.bands[group]) if (backward) for (const column of columns) for (const item of column) {
      const [x, y] = local.get(item), left = width - edge.get(item);
      edge.set(item, left + edge.get(item) - x);
      local.set(item, [left, y]);
    }
    size.set(group, [width, top - S.ROW * 2 + S.PAD]);
  }
  const found = new Map([[data.root, [0, 0, ...size.get(data.root)]]]), edges = new Map([[data.root, size.get(data.root)[0]]]);
  for (const group of groups) {
    const [x, y] = found.get(group);
    for (const [columns] of data.bands[group]) for (const column of columns) for (const item of column) {
      const [dx, dy] = local.get(item);
      found.set(item, [x + dx, y + dy, ...size.get(item)]);
      edges.set(item, x + edge.get(item));
    }
  }
  return [found, edges];
}

function lifted(a, b) {
  while (boxes[a].depth > boxes[b].depth) a = boxes[a].parent;
  while (boxes[b].depth > boxes[a].depth) b = boxes[b].parent;
  while (boxes[a].parent !== boxes[b].parent) [a, b] = [boxes[a].parent, boxes[b].parent];
  return [a, b];
}
function inside(box, outer) {
  const found = [];
  for (; box !== outer; box = boxes[box].parent) found.push(box);
  return found;
}

const number = n => (n + 1e-6).toFixed(1);
function pathThrough(points) {
  let [x, y] = points[0], drawn = `M${number(x)} ${number(y)}`;
  for (const [a, b] of points.slice(1)) {
    if (a === x && b === y) continue;
    const bend = (a - x) / 2;
    drawn += b === y ? `H${number(a)}` : `C${[x + bend, y, a - bend, b, a, b].map(number).join(" ")}`;
    [x, y] = [a, b];
  }
  return drawn;
}

function make(parent, name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  return parent.appendChild(made);
}

function draw() {
  const [found, edges] = place(), layer = document.createElementNS("http://www.w3.org/2000/svg", "g");
  const folding = (i, expanded) => boxes[i].children.length && i !== data.root
    ? {"data-box": i, tabindex: 0, role: "button", "aria-expanded": expanded} : {"data-box": i};
  const shown = [], pending = [data.root];
  while (pending.length) {
    const i = pending.pop();
    shown.push(i);
    if (isOpen(i)) pending.push(...boxes[i].children);
  }
  for (const i of shown.filter(isOpen)) {
    const [x, y, width, height] = found.get(i), root = i === data.root;
    const g = make(layer, "g", {class: root ? "open" : "open fold", ...folding(i, true)});
    if (!root) make(g, "rect", {x, y, width, height, rx: 6});
    make(g, "title", {}, boxes[i].hover);
    make(g, "text", {class: "label", x: x + 10, y: y + 18}, boxes[i].label);
  }
  const visible = leaf => {
    let found = leaf;
    for (let i = leaf; i !== data.root;) if (!open.has(i = boxes[i].parent)) found = i;
    return found;
  };
  const routes = new Map();
  for (const [start, end, hover, width, level] of data.arrows) {
    const a = visible(start), b = visible(end), key = `${a},${b}`;
    if (a === b) continue;
    if (!routes.has(key)) routes.set(key, {a, b, hovers: new Set(), width: 0});
    const route = routes.get(key);
    if (level && route.leaf === undefined) route.leaf = start;
    if (route.hovers.size < 6) route.hovers.add(hover);
    route.width = Math.max(route.width, width);
  }
  const port = (i, right) => {
    const [x, y] = found.get(i);
    return [x + boxes[i].shift + (right ? boxes[i].box : 0), y + S.HEIGHT / 2];
  };
  const side = (item, right) => right ? edges.get(item) : found.get(item)[0];
  const turns = (start, end, right) => {
    const route = data.routes[`${start},${end}`] || [...data.routes[`${end},${start}`] || []].reverse();
    return route.flatMap(turn => {
      const [left, top, wide, high] = found.get(turn), ends = [[left, top + high / 2], [left + wide, top + high / 2]];
      return right ? ends : ends.reverse();
    });
  };
  const passed = (box, leaf, right) => {
    const ports = data.ports[boxes[box].parent][Number(right)];
    return ports.has(leaf) ? ports.get(leaf) : ports.get(~box);
  };
  const through = (box, item, right) => {
    const [x, y, , height] = found.get(item);
    return [...turns(box, item, right), [x, y + height / 2], [side(boxes[box].parent, right), y + height / 2]];
  };
  for (const {a, b, leaf, hovers, width} of routes.values()) {
    const [from, to] = lifted(a, b), isAcross = leaf === undefined;
    let points;
    if (isAcross) {
      const right = found.get(from)[0] <= found.get(to)[0];
      points = [port(a, right), port(b, !right)];
    } else {
      const onward = data.place[from] < data.place[to], right = onward !== boxes[a].backward;
      const [x, y] = port(a, right), last = port(b, !right);
      points = [[x, y], [side(a, right), y]];
      for (const box of inside(a, from)) points.push(...through(box, passed(box, leaf, onward), right));
      points.push(...turns(from, to, right));
      for (const box of inside(b, to).reverse()) points.push(...through(box, passed(box, leaf, !onward), !right).reverse());
      points.push([side(b, !right), last[1]], last);
    }
    const told = [...hovers].join("\n");
    const across = isAcross ? {class: "across", "data-ends": `${a} ${b}`} : {};
    make(make(layer, "path", {...across, d: pathThrough(points), "marker-end": "url(#pullback-head)"}), "title", {}, told);
    if (width) {
      const d = pathThrough(points.map(([x, y]) => [x, y + S.BELOW]).reverse());
      make(make(layer, "path", {class: "back", d, "stroke-width": width, "marker-end": "url(#pullback-back)"}), "title", {}, told);
    }
  }
  for (const i of shown.filter(i => !isOpen(i))) {
    const box = boxes[i], [x, y] = found.get(i), left = x + box.shift;
    const g = make(layer, "g", {class: box.children.length ? `${box.kind} fold` : box.kind, ...folding(i, false)});
    make(g, "title", {}, box.hover);
    make(g, "rect", {x: left, y, width: box.box, height: S.HEIGHT, rx: 4});
    make(g, "text", {class: "label", x: left + 8, y: y + 17}, box.label);
    if (box.note) make(g, "text", {class: "note", x: box.shift ? x + 5 : x + box.box + 5, y: y + S.HEIGHT / 2 - 4}, box.note);
    box.sentence.forEach((line, k) => make(g, "text", {class: "sentence", x, y: y + S.HEIGHT + S.LINE * (k + 1)}, line));
  }
  const [, , width, height] = found.get(data.root);
  at.setAttribute("width", width);
  at.setAttribute("height", height);
  at.setAttribute("viewBox", `0 0 ${width} ${height}`);
  at.querySelector(":scope > g").replaceWith(layer);
}

function toggle(event) {
  const group = event.target.closest && event.target.closest(".fold");
  if (!group || (event.type === "keydown" && event.key !== "Enter")) return;
  if (!data) read();
  const i = Number(group.dataset.box);
  open.has(i) ? open.delete(i) : open.add(i);
  draw();
  const again = at.querySelector(`[data-box="${i}"]`);
  if (again) again.focus({preventScroll: true});
}
function show(event) {
  const box = event.target.closest && event.target.closest("g[data-box]");
  for (const path of at.querySelectorAll(".across")) path.classList.toggle("shown", !!box && path.dataset.ends.split(" ").includes(box.dataset.box));
}
at.addEventListener("pointerover", show);
at.addEventListener("click", toggle);
at.addEventListener("keydown", toggle);
})();
