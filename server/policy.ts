import type { Config } from '#server/config.ts'

/** All that differs between the two modes of the bank. Services read these; none asks for the mode. */
export type Policy = {
  /** For a screen to say which bank this is. It decides nothing. */
  mode: Config['mode']
  /** Whether a visitor without a session is given a sample customer of their own. */
  visitorsGetSampleCustomer: boolean
  /** Whether the mails the bank writes can be read in the app, for want of an inbox. */
  mailboxPage: boolean
  /** Whether there is a panel that plays the world around the bank: its date, a shop, an employer. */
  controlPanel: boolean
  /** When the bank's day begins, the first time a database is used; null where it is real time. */
  businessEpoch: Date | null
}

/** The sample day: the last Friday of the story, in the morning. */
const SAMPLE_EPOCH = '2026-08-28T09:41:00Z'

/** The one place that knows the modes. */
export function policyFor({ mode }: Pick<Config, 'mode'>): Policy {
  const sample = mode === 'sample'
  return {
    mode,
    visitorsGetSampleCustomer: sample,
    mailboxPage: sample,
    controlPanel: sample,
    businessEpoch: sample ? new Date(SAMPLE_EPOCH) : null,
  }
}
