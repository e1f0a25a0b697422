/** Centrifuge-js as far as it is used here: the test plays the server. */
export class FakeCentrifuge extends Listening() {
  static made = [];
  state = "disconnected";
  subscriptions = [];

  constructor(transports, options) {
    super();
    Object.assign(this, { transports, options, tokens: [options.token] });
    FakeCentrifuge.made.push(this);
  }

  connect() {
    this.state = "connecting";
    this.emit("connecting", {});
  }

  disconnect() {
    this.end(0);
  }

  setToken(token) {
    this.tokens.push(token);
  }

  newSubscription(channel, options) {
    const subscription = new FakeSubscription(channel, options);
    this.subscriptions.push(subscription);
    return subscription;
  }

  removeSubscription(subscription) {
    this.subscriptions = this.subscriptions.filter((one) => one !== subscription);
  }

  /** The server takes the connection; each channel recovered its history, or did not. */
  accept(...recovered) {
    this.state = "connected";
    this.emit("connected", {});
    for (const one of recovered) this.emit("subscribed", { channel: "c", wasRecovering: one, recovered: one });
  }

  end(code) {
    this.state = "disconnected";
    this.emit("disconnected", { code });
  }
}

class FakeSubscription extends Listening() {
  did = [];

  constructor(channel, options) {
    super();
    Object.assign(this, { channel, options });
  }

  subscribe() {
    this.did.push("subscribe");
  }

  unsubscribe() {
    this.did.push("unsubscribe");
    this.emit("unsubscribed", { code: 0 });
  }
}

export class UnauthorizedError extends Error {}

function Listening() {
  return class {
    listeners = new Map();

    on(name, listener) {
      this.listeners.set(name, listener);
      return this;
    }

    emit(name, context) {
      this.listeners.get(name)?.(context);
    }
  };
}
