// What the scripts of the pages find beside the browser's own: each other, htmx and uPlot. For the type check alone.

interface Window {
  midpoint: {
    during<T>(promise: Promise<T>): Promise<T>;
    opening(stream: EventSource): EventSource;
  };
  htmx: {
    trigger(element: Element | null, name: string): void;
    ajax(
      verb: string,
      path: string,
      context: { source: Element; target: string; swap: string; headers?: Record<string, string> },
    ): Promise<void>;
  };
}

interface HtmxEvent extends CustomEvent {
  readonly target: HTMLElement;
  detail: {
    elt: HTMLElement;
    target: HTMLElement;
    xhr: XMLHttpRequest;
    shouldSwap: boolean;
    parameters: Record<string, string>;
    requestConfig: { elt: HTMLElement; triggeringEvent?: Event; headers?: Record<string, string> };
  };
}

interface DocumentEventMap {
  "htmx:afterOnLoad": HtmxEvent;
  "htmx:afterSettle": HtmxEvent;
  "htmx:afterSwap": HtmxEvent;
  "htmx:beforeRequest": HtmxEvent;
  "htmx:beforeSend": HtmxEvent;
  "htmx:beforeSwap": HtmxEvent;
  "htmx:configRequest": HtmxEvent;
  "htmx:responseError": HtmxEvent;
  "htmx:sendError": HtmxEvent;
  "midpoint:appearance": CustomEvent<{ theme: string }>;
  "midpoint:line": CustomEvent<{ state: string }>;
  "midpoint:name": CustomEvent<{ entrant: string }>;
  "midpoint:own": CustomEvent<{ entrant: string }>;
  "midpoint:size": CustomEvent<{ size: number }>;
  "midpoint:unsent": CustomEvent<{ count: number }>;
}

declare class uPlot {
  constructor(options: object, data: (number | null)[][], place: Element);
  readonly over: HTMLElement;
  readonly width: number;
  readonly ctx: CanvasRenderingContext2D;
  readonly cursor: { idx: number | null };
  readonly scales: { x: { min: number; max: number } };
  valToPos(value: number, scale: string, inPixelsOfCanvas: boolean): number;
  setSize(size: { width: number; height: number }): void;
  destroy(): void;
}

// The pages look for their own HTML: a selector that begins with a tag's name finds that tag, any other one an element
// of HTML. What two tags may be is said where it is used.
type Tags = HTMLElementTagNameMap;
interface ParentNode {
  querySelector<K extends keyof Tags>(selectors: K): Tags[K] | null;
  querySelector<K extends keyof Tags>(selectors: `${K}[${string}]`): Tags[K] | null;
  querySelector(selectors: string): HTMLElement | null;
  querySelectorAll<K extends keyof Tags>(selectors: K): NodeListOf<Tags[K]>;
  querySelectorAll<K extends keyof Tags>(selectors: `${K}[${string}]`): NodeListOf<Tags[K]>;
  querySelectorAll(selectors: string): NodeListOf<HTMLElement>;
}
interface Element {
  closest<K extends keyof Tags>(selector: K): Tags[K] | null;
  closest<K extends keyof Tags>(selectors: `${K}${"[" | "."}${string}`): Tags[K] | null;
  closest(selectors: string): HTMLElement | null;
}
interface Document {
  readonly activeElement: HTMLElement | null;
}

// Fingers, keys and forms meet elements; a handler asks `closest?.` where the document itself may be met.
interface UIEvent {
  readonly target: HTMLElement;
}
interface SubmitEvent {
  readonly target: HTMLFormElement;
}
