// SPDX-License-Identifier: Apache-2.0
// The page: asks the worker, shows what it says.
const worker = new Worker(new URL('worker.mjs', import.meta.url), { type: 'module' });
const show = (id, text) => {
  document.getElementById(id).textContent = text;
};
worker.onmessage = ({ data: { where, text } }) => show(where, text);
document.getElementById('file').onchange = ({ target }) => worker.postMessage({ file: target.files[0] });
document.getElementById('put').onsubmit = (event) => {
  event.preventDefault();
  const { key, value } = Object.fromEntries(new FormData(event.target));
  worker.postMessage({ key, value });
};
