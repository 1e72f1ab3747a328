import { commands } from 'vitest/browser'
import type { HttpExchange, RecordedResponse } from '#server/test/recorded-bank.ts'

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** Returns the real bank's answer to its sample customer at a path. */
    record(path: string): Promise<RecordedResponse>
    /** Returns the difference between an answer and the real bank's; null if there is none. */
    faultOf(exchange: HttpExchange): Promise<string | null>
    /** Sets the device's preference for a dark or a light theme. */
    preferColors(scheme: 'light' | 'dark'): Promise<void>
    /** Sets the HTML in frames that would show a screen of the app; an empty page by default. */
    showInFrames(html: string): Promise<void>
  }
}

/** The commands that run in Vitest's own process (vitest.config.ts). */
export { commands }
