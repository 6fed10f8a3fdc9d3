/* Sluice connect button, version 1: docs/reference/connections.md. No dependencies; defines window.SluiceConnect. */
(() => {
  const FINAL = ['connected', 'canceled', 'expired', 'closed', 'blocked', 'error'];
  const query = new URLSearchParams(location.search);
  const relay = () => (typeof BroadcastChannel === 'function' ? new BroadcastChannel('sluice-connect-v1') : undefined);

  /** `source`: the reply of POST /connect-sessions or its url, a promise of it, or a function that returns one. */
  function open(source, onResult = () => {}) {
    const popup = window.open('about:blank', '_blank', 'popup,width=480,height=720');
    const channel = relay();
    let origin;
    let session;
    let away = false;
    let ended = false;
    let timer;
    const report = (status, more) => {
      if (ended) return;
      ended = FINAL.includes(status);
      if (ended) {
        clearInterval(timer);
        removeEventListener('message', onMessage);
        channel?.close();
        if (status !== 'connected') popup?.close();
      }
      onResult({ status, final: ended, ...more });
    };
    /** Only the connect window of this call, at the origin of the service. */
    function onMessage(event) {
      if (event.source !== popup || event.origin !== origin || typeof event.data !== 'object') return;
      const { type, app, connection_id, message } = event.data ?? {};
      const [, status] = /^sluice:(connected|denied|failed|expired|canceled|leaving)$/.exec(type) ?? [];
      if (status === 'leaving') away = true;
      else if (status) report(status, { app, connection_id, message });
    }
    if (!popup) {
      report('blocked');
      return { close() {} };
    }
    addEventListener('message', onMessage);
    if (channel)
      channel.onmessage = ({ data }) => {
        if (session ? data.session_id === session : away) report(data.status, data);
      };
    timer = setInterval(() => {
      if (!popup.closed) return;
      if (!away) return report('closed');
      // The provider's page may have cut the relation: its window looks closed from here, but may be open.
      away = false;
      clearInterval(timer);
      if (session) report('unknown');
      else report('closed');
    }, 300);
    Promise.resolve(typeof source === 'function' ? source() : source)
      .then((given) => {
        const url = new URL(typeof given === 'string' ? given : given.url);
        if (!/^https?:$/.test(url.protocol)) throw new Error('expected the url of a connect session');
        session = given.session?.session_id;
        origin = url.origin;
        url.searchParams.set('mode', 'popup');
        if (!ended) popup.location.replace(url.href);
      })
      .catch((error) => report('error', { message: String(error?.message ?? error) }));
    return { close: () => report('closed') };
  }

  // <script data-return>: on the page of redirect_url, which ends the popup that was cut off from its opener.
  if (document.currentScript?.dataset.return !== undefined && query.has('session_id')) {
    const channel = relay();
    channel?.postMessage(Object.fromEntries(query));
    channel?.close();
    window.close();
  }

  // <button data-sluice-connect="/path">: POST to that path of this page returns the session.
  addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('[data-sluice-connect]') : null;
    if (!button) return;
    const create = async () => {
      const response = await fetch(button.dataset.sluiceConnect, { method: 'POST' });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return response.json();
    };
    open(create, (detail) => button.dispatchEvent(new CustomEvent('sluice:connect', { detail, bubbles: true })));
  });

  window.SluiceConnect = { version: 1, open };
})();
