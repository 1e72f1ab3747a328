import { commands } from 'vitest/browser'
import type { Exchange, Recorded } from '#server/test/recorded-bank.ts'

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** What a real bank answers its sample customer at this path. */
    record(path: string): Promise<Recorded>
    /** In which way this is not as the real bank answers; null where it is. */
    faultOf(exchange: Exchange): Promise<string | null>
    /** Has the device ask for a dark screen, or for a light one. */
    preferColors(scheme: 'light' | 'dark'): Promise<void>
    /** What stands in a frame in place of a screen of the app, as HTML; an empty page unless told. */
    showInFrames(html: string): Promise<void>
  }
}

/** What tests ask of Vitest's own process (vitest.config.ts). */
export { commands }
