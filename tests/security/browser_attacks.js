// SPDX-License-Identifier: Apache-2.0
// What a page can try against a server on this machine: everything that makes a browser send a request.
// Each try says what the page got to see of the answer; null: nothing. It runs in whatever page
// browser_test.py serves.
'use strict';

const kPatience = 10_000;

// The first of the events that comes, or null after a while.
function first(target, names) {
  return new Promise((resolve) => {
    for (const name of names) target.addEventListener(name, resolve, { once: true });
    setTimeout(() => resolve(null), kPatience);
  });
}

async function seenByFetch(url, options) {
  try {
    const answer = await fetch(url, { cache: 'no-store', ...options });
    const text = await answer.text();
    return answer.type === 'opaque' && text === ''
      ? null
      : { status: answer.status, text: text.slice(0, 2000) };
  } catch {
    return null;
  }
}

// An element that loads `url`: what it tells the page about it.
async function seenByElement(make, look) {
  const element = make();
  const loaded = first(element, ['load', 'error']);
  document.body.append(element);
  const event = await loaded;
  const seen = event?.type === 'load' ? look(element) : null;
  element.remove();
  return seen;
}

function create(name, members) {
  return Object.assign(document.createElement(name), members);
}

function documentOf(frame) {
  try {
    const inside = frame.contentDocument;
    return inside && inside.URL !== 'about:blank' ? { text: inside.documentElement.outerHTML } : null;
  } catch {
    return null;
  }
}

// Sends a form into a frame of this page.
async function seenByForm(url, method, enctype, fields) {
  const frame = create('iframe', { name: `frame${Math.random()}` });
  document.body.append(frame);
  const form = create('form', { action: url, method, enctype, target: frame.name });
  for (const [name, value] of Object.entries(fields)) {
    form.append(create('input', { type: 'hidden', name, value }));
  }
  document.body.append(form);
  const loaded = first(frame, ['load']);
  form.submit();
  await loaded;
  const seen = documentOf(frame);
  form.remove();
  frame.remove();
  return seen;
}

async function seenBySocket(url) {
  try {
    const socket = new WebSocket(url);
    const event = await first(socket, ['open', 'message', 'error', 'close']);
    socket.close();
    return event?.type === 'open' || event?.type === 'message' ? { text: event.type } : null;
  } catch {
    return null;
  }
}

async function seenByEvents(url, withCredentials) {
  const source = new EventSource(url, { withCredentials });
  const event = await first(source, ['open', 'message', 'error']);
  source.close();
  return event?.type === 'open' || event?.type === 'message' ? { text: event.type } : null;
}

async function seenByImport(url) {
  try {
    return { text: Object.keys(await import(url)).join() };
  } catch {
    return null;
  }
}

async function seenByWorker(url) {
  try {
    const source = `try { importScripts(${JSON.stringify(url)}); postMessage('ran'); } catch { postMessage(''); }`;
    const worker = new Worker(URL.createObjectURL(new Blob([source])));
    const event = await first(worker, ['message', 'error']);
    worker.terminate();
    return event?.data ? { text: event.data } : null;
  } catch {
    return null;
  }
}

async function seenByPopup(url) {
  const popup = window.open(url);
  if (!popup) return null;
  await new Promise((resolve) => setTimeout(resolve, 500));
  try {
    const text = popup.document.URL === 'about:blank' ? '' : popup.document.documentElement.outerHTML;
    popup.close();
    return text ? { text } : null;
  } catch {
    popup.close();
    return null;
  }
}

const kBatch = JSON.stringify({ ops: [{ op: 'put', key: 'planted', value: 'by the page' }] });
const kChange = JSON.stringify({ options: { write_buffer_size: '1048576' } });

// [name, what it is tried with]; every one of them is run against `base`. The page is assumed to have got
// hold of the token, which nobody should have: what keeps it out must not be that alone.
function attacks(base, token) {
  const api = `${base}/api/v1`;
  const reads = {
    value: `${api}/targets/t1/cfs/default/get?key=canary`,
    scan: `${api}/targets/t1/cfs/default/scan`,
    targets: `${api}/targets`,
    openapi: `${api}/openapi.json`,
    metrics: `${base}/metrics`,
    page: `${base}/`,
  };
  const writes = {
    batch: ['POST', `${api}/targets/t1/batch`, kBatch],
    flush: ['POST', `${api}/targets/t1/cfs/default:flush`, '{}'],
    compact: ['POST', `${api}/targets/t1/jobs`, '{"kind":"compact"}'],
    options: ['PATCH', `${api}/targets/t1/cfs/default/options`, kChange],
    forget: ['DELETE', `${api}/targets/t1/jobs/j1`, undefined],
  };
  const bearer = { Authorization: `Bearer ${token}` };
  const list = [];
  const add = (name, run) => list.push([name, run]);

  for (const [name, url] of Object.entries(reads)) {
    for (const credentials of ['omit', 'include']) {
      add(`fetch cors ${credentials} ${name}`, () => seenByFetch(url, { credentials }));
      add(`fetch no-cors ${credentials} ${name}`, () =>
        seenByFetch(url, { mode: 'no-cors', credentials }));
    }
    add(`fetch bearer ${name}`, () => seenByFetch(url, { headers: bearer }));
    add(`fetch head ${name}`, () => seenByFetch(url, { method: 'HEAD' }));
    add(`img ${name}`, () =>
      seenByElement(
        () => create('img', { src: url }),
        (img) => ({ text: `an image ${img.naturalWidth} wide` }),
      ));
    add(`img crossorigin ${name}`, () =>
      seenByElement(
        () => create('img', { crossOrigin: 'use-credentials', src: url }),
        () => ({ text: 'an image' }),
      ));
    add(`script ${name}`, () =>
      seenByElement(
        () => create('script', { src: url }),
        () => ({ text: 'a script' }),
      ));
    add(`stylesheet ${name}`, () =>
      seenByElement(
        () => create('link', { rel: 'stylesheet', href: url }),
        () => ({ text: 'a stylesheet' }),
      ));
    add(`iframe ${name}`, () => seenByElement(() => create('iframe', { src: url }), documentOf));
    add(`object ${name}`, () =>
      seenByElement(() => create('object', { data: url }), documentOf));
    add(`video ${name}`, async () => {
      const video = create('video', { src: url });
      const event = await first(video, ['loadedmetadata', 'error']);
      return event?.type === 'loadedmetadata' ? { text: 'a video' } : null;
    });
    add(`import ${name}`, () => seenByImport(url));
    add(`worker ${name}`, () => seenByWorker(url));
    add(`form get ${name}`, () =>
      seenByForm(url, 'get', 'application/x-www-form-urlencoded', { key: 'canary' }));
  }
  add('popup value', () => seenByPopup(reads.value));
  add('popup page', () => seenByPopup(`${base}/#token=${token}`));
  add('iframe with token', () =>
    seenByElement(() => create('iframe', { src: `${base}/#token=${token}` }), documentOf));

  for (const [name, [method, url, body]] of Object.entries(writes)) {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json']) {
      for (const credentials of ['omit', 'include']) {
        add(`fetch ${method} ${type} ${credentials} ${name}`, () =>
          seenByFetch(url, { method, body, credentials, headers: { 'Content-Type': type } }));
      }
      add(`fetch ${method} ${type} bearer ${name}`, () =>
        seenByFetch(url, { method, body, headers: { 'Content-Type': type, ...bearer } }));
    }
    add(`fetch no-cors ${name}`, () =>
      seenByFetch(url, { method: 'POST', mode: 'no-cors', body, credentials: 'include' }));
    add(`fetch no-cors keepalive ${name}`, () =>
      seenByFetch(url, { method: 'POST', mode: 'no-cors', body, keepalive: true }));
    add(`beacon ${name}`, async () => {
      navigator.sendBeacon(url, new Blob([body ?? ''], { type: 'text/plain' }));
      return null;
    });
    // A body that is JSON with one more member: text/plain is "name=value".
    const cut = (body ?? '{}').slice(0, -1);
    const padding = `${cut}${cut === '{' ? '' : ','}"x":"`;
    add(`form text/plain ${name}`, () => seenByForm(url, 'post', 'text/plain', { [padding]: '"}' }));
    add(`form urlencoded ${name}`, () =>
      seenByForm(url, 'post', 'application/x-www-form-urlencoded', { key: 'planted' }));
    add(`form multipart ${name}`, () =>
      seenByForm(url, 'post', 'multipart/form-data', { body: body ?? '' }));
  }

  const events = `${api}/targets/t1/events?access_token=${token}&token=${token}`;
  add('EventSource', () => seenByEvents(events, false));
  add('EventSource with credentials', () => seenByEvents(events, true));
  const socket = `${api}/targets/t1/events`.replace(/^http/, 'ws');
  add('WebSocket', () => seenBySocket(socket));
  add('WebSocket page', () => seenBySocket(`${base.replace(/^http/, 'ws')}/`));
  return list;
}

// Runs all of them, a few at a time, and hands what was seen to `report`.
async function attackAndReport(base, token, report) {
  const list = attacks(base, token);
  const seen = {};
  let next = 0;
  const work = async () => {
    while (next < list.length) {
      const [name, run] = list[next++];
      try {
        seen[name] = await run();
      } catch (error) {
        seen[name] = { text: `the try itself failed: ${error}` };
      }
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  await fetch(report, { method: 'POST', mode: 'no-cors', body: JSON.stringify(seen) });
}
