import { open } from 'node:fs/promises'
import { z } from 'zod'
import type { Config } from '#server/bank/config.ts'
import type { Seal } from '#server/ledger/seals/seal-format.ts'
import { sealNumbered } from '#server/ledger/seals/sealing.ts'
import type { KnownHead } from '#server/ledger/seals/verify.ts'
import { sendBySmtp } from '#server/mail/service.ts'
import type { Deps } from '#server/platform/deps.ts'
import { runIn } from '#server/platform/db/run.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { sign } from '#server/platform/signature.ts'

/** The places outside the database that keep the heads of seals. */
const KEEPERS = ['file', 'mail', 'url'] as const
type Keeper = (typeof KEEPERS)[number]

export const keepersIn = ({ sealHeads }: Pick<Config, 'sealHeads'>): Keeper[] =>
  KEEPERS.filter((keeper) => sealHeads[keeper] !== null)

/** Returns the published part of a seal, which contains no customer data. */
const publishedHead = ({ number, head, previous, day, sealedAt, operations, transfers }: Seal) => ({
  seal: number,
  head,
  previous,
  day,
  sealedAt: sealedAt.toISOString(),
  operations,
  transfers,
})

type PublishedHead = ReturnType<typeof publishedHead>

/** Sends the head of a seal to one keeper. A repeated run sends the same head. */
export const publishHeadJob = defineJob({
  name: 'seals.tell',
  payload: z.object({ number: z.int(), keeper: z.enum(KEEPERS) }),
  apart: true,
  work: async (deps, { number, keeper }) => {
    const seal = await sealNumbered(runIn(deps.db), number)
    if (!seal) throw new Error(`Seal ${number} is gone`)
    await TELL[keeper](deps, publishedHead(seal))
  },
})

const TELL: Readonly<Record<Keeper, (deps: Pick<Deps, 'config' | 'clock'>, told: PublishedHead) => Promise<void>>> = {
  file: async ({ config }, head) => {
    if (config.sealHeads.file !== null) await addTo(config.sealHeads.file, head)
  },
  mail: async ({ config }, head) => {
    const { mail: recipient } = config.sealHeads
    if (recipient === null || config.smtpUrl === null) return
    await sendBySmtp(config.smtpUrl, config, {
      id: `seal-${head.seal}-${head.head.slice(0, 16)}`,
      to: recipient,
      subject: `Alder: seal ${head.seal} of the ledger`,
      text: `Keep this mail. It proves later that nothing was altered that seal ${head.seal} covers:\n\nnpm run books -- --all --head ${head.head}\n\n${JSON.stringify(head, null, 2)}\n`,
      language: 'en',
    })
  },
  url: async ({ config, clock }, head) => {
    if (config.sealHeads.url === null) return
    const { url, secret, timeoutMs } = config.sealHeads.url
    const body = JSON.stringify(head)
    const { timestamp, signature } = sign(secret, body, clock.realNow())
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': head.head,
        'alder-timestamp': timestamp,
        'alder-signature': signature,
      },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`SEAL_URL answered ${answer.status}`)
  },
}

/** Appends a head to the file unless the file contains it, because a job may run twice. Resolves after the data is on disk. */
async function addTo(path: string, published: PublishedHead): Promise<void> {
  const file = await open(path, 'a+', 0o600)
  try {
    const before = await file.readFile('utf8')
    if (headsIn(before).heads.some(({ head }) => head === published.head)) return
    // The code only appends, so that the file can be append-only. A line that a crash cut off stays in the file.
    await file.appendFile(`${before === '' || before.endsWith('\n') ? '' : '\n'}${JSON.stringify(published)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

const line = z.object({ seal: z.int(), head: z.string() })

/**
 * Parses the heads in the text of SEAL_FILE and counts unreadable lines. A line that a crash cut off does not count: it is the
 * last line without an end, or a later line repeats it in full.
 */
export function headsIn(text: string): { heads: KnownHead[]; unread: number; isCutOff: boolean } {
  const lines = text.split('\n')
  const heads: KnownHead[] = []
  const brokenPlaces: number[] = []
  for (const [index, lineText] of lines.entries()) {
    const head = headIn(lineText)
    if (head) heads.push(head)
    else if (lineText !== '') brokenPlaces.push(index)
  }
  const isCutOff = brokenPlaces.at(-1) === lines.length - 1
  const isWrittenAgain = (place: number): boolean =>
    lines.some((other, at) => at > place && other.startsWith(lines[place] ?? '') && headIn(other) !== null)
  const unread = brokenPlaces.filter((place) => place < lines.length - 1 && !isWrittenAgain(place)).length
  return { heads, unread, isCutOff }
}

function headIn(text: string): KnownHead | null {
  try {
    const { seal: number, head } = line.parse(JSON.parse(text))
    return { number, head, from: 'SEAL_FILE' }
  } catch {
    return null
  }
}
