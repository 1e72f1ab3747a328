/** A browser other than Chromium, with one window of a phone's size. */
export type Engine = {
  /** The browser's own name and version. */
  name: string
  open(url: string): Promise<void>
  /** Returns the value of an expression in the page. JSON must be able to represent the value. */
  evaluate<Result>(expression: string): Promise<Result>
  /** Waits until an XPath matches, and presses the first match. */
  press(xpath: string): Promise<void>
  type(xpath: string, text: string): Promise<void>
  /** Waits until an XPath matches. */
  wait(xpath: string): Promise<void>
  picture(): Promise<Buffer>
  /** Returns the errors since the last call. WebKit reports only the errors of the current page. */
  errors(): Promise<string[]>
  close(): Promise<void>
}

export const PHONE = { width: 390, height: 844 }
export const WAIT_MS = 90_000
