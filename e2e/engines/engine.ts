/** A browser other than Chromium, on a phone's screen, with one window. */
export type Engine = {
  /** As it calls itself, with its version. */
  name: string
  open(url: string): Promise<void>
  /** Answers what an expression comes to in the page, as JSON. */
  evaluate<Result>(expression: string): Promise<Result>
  /** Presses what an XPath finds first, once it is there. */
  press(xpath: string): Promise<void>
  type(xpath: string, text: string): Promise<void>
  /** Waits until an XPath finds something. */
  wait(xpath: string): Promise<void>
  picture(): Promise<Buffer>
  /** Errors that the pages reported since they were last asked for. */
  errors(): Promise<string[]>
  close(): Promise<void>
}

export const PHONE = { width: 390, height: 844 }
export const WAIT_MS = 90_000
