import { open } from 'node:fs/promises'
import { z } from 'zod'
import type { Config } from '#server/bank/config.ts'
import type { Seal } from '#server/ledger/seals/form.ts'
import { sealNumbered } from '#server/ledger/seals/sealing.ts'
import type { KnownHead } from '#server/ledger/seals/verify.ts'
import { handOver } from '#server/mail/service.ts'
import type { Deps } from '#server/platform/deps.ts'
import { runIn } from '#server/platform/db/run.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { sign } from '#server/platform/signature.ts'

/** Who keeps the heads of seals outside of the database. */
const KEEPERS = ['file', 'mail', 'url'] as const
type Keeper = (typeof KEEPERS)[number]

export const keepersIn = ({ sealHeads }: Pick<Config, 'sealHeads'>): Keeper[] =>
  KEEPERS.filter((keeper) => sealHeads[keeper] !== null)

/** What is said of a seal outside: nothing of any customer. */
const toldOf = ({ number, head, previous, day, sealedAt, operations, transfers }: Seal) => ({
  seal: number,
  head,
  previous,
  day,
  sealedAt: sealedAt.toISOString(),
  operations,
  transfers,
})

type Told = ReturnType<typeof toldOf>

/** Sends the head of a seal to one of its keepers. Sent again, it is the same head. */
export const tellJob = defineJob({
  name: 'seals.tell',
  payload: z.object({ number: z.int(), keeper: z.enum(KEEPERS) }),
  apart: true,
  work: async (deps, { number, keeper }) => {
    const seal = await sealNumbered(runIn(deps.db), number)
    if (!seal) throw new Error(`Seal ${number} is gone`)
    await TELL[keeper](deps, toldOf(seal))
  },
})

const TELL: Readonly<Record<Keeper, (deps: Pick<Deps, 'config' | 'clock'>, told: Told) => Promise<void>>> = {
  file: async ({ config }, told) => {
    if (config.sealHeads.file !== null) await addTo(config.sealHeads.file, told)
  },
  mail: async ({ config }, told) => {
    const { mail: to } = config.sealHeads
    if (to === null || config.smtpUrl === null) return
    await handOver(config.smtpUrl, config, {
      id: `seal-${told.seal}-${told.head.slice(0, 16)}`,
      to,
      subject: `Alder: seal ${told.seal} of the ledger`,
      text: `Keep this mail. It proves later that nothing was altered that seal ${told.seal} covers:\n\nnpm run books -- --all --head ${told.head}\n\n${JSON.stringify(told, null, 2)}\n`,
      language: 'en',
    })
  },
  url: async ({ config, clock }, told) => {
    if (config.sealHeads.url === null) return
    const { url, secret, timeoutMs } = config.sealHeads.url
    const body = JSON.stringify(told)
    const { timestamp, signature } = sign(secret, body, clock.realNow())
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': told.head,
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

/** Adds a line to the file, unless it has it: a job may run twice. It is on the disk when this resolves. */
async function addTo(path: string, told: Told): Promise<void> {
  const file = await open(path, 'a+', 0o600)
  try {
    const before = await file.readFile('utf8')
    if (headsIn(before).heads.some(({ head }) => head === told.head)) return
    // Nothing is taken away, so the file may be one that can only be added to: a line that a crash cut off stays.
    await file.appendFile(`${before === '' || before.endsWith('\n') ? '' : '\n'}${JSON.stringify(told)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

const line = z.object({ seal: z.int(), head: z.string() })

/**
 * The heads that a text of SEAL_FILE has; lines that cannot be read are counted. One that a crash cut off is none of them: it is the
 * last and has no end, or was written again behind it.
 */
export function headsIn(text: string): { heads: KnownHead[]; unread: number; isCutOff: boolean } {
  const lines = text.split('\n')
  const heads: KnownHead[] = []
  const broken: number[] = []
  for (const [place, one] of lines.entries()) {
    const head = headIn(one)
    if (head) heads.push(head)
    else if (one !== '') broken.push(place)
  }
  const isCutOff = broken.at(-1) === lines.length - 1
  const isWrittenAgain = (place: number): boolean =>
    lines.some((other, at) => at > place && other.startsWith(lines[place] ?? '') && headIn(other) !== null)
  const unread = broken.filter((place) => place < lines.length - 1 && !isWrittenAgain(place)).length
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
