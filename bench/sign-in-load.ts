import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/** What the load is made of; sent by bench/sign-ins.ts, which runs this file in a process of its own. */
export type SignInOrder = {
  url: string
  seconds: number
  /** Sign-ins begun a second, whether or not those before are answered; 0 for none. */
  perSecond: number
  emails: string[]
  password: string
}

export type SignInReport = {
  signedIn: number
  refused: number
  signInMs: number[]
  /** How long /healthz took, asked a hundred times a second. */
  healthMs: number[]
}

const HEALTH_PER_SECOND = 100

type Answered = { status: number; ms: number }

function ask(url: string, agent: Agent, body?: string, headers: Record<string, string> = {}): Promise<Answered> {
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, method: body === undefined ? 'GET' : 'POST', headers }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, ms: performance.now() - begun }))
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

/** Begins `perSecond` of something a second for so long, evenly, and waits for what comes of each. */
async function evenly<Result>(
  perSecond: number,
  seconds: number,
  begin: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const started = performance.now()
  const results: Promise<Result>[] = []
  for (let index = 0; index < perSecond * seconds; index += 1) {
    await wait(Math.max(0, started + (index * 1_000) / perSecond - performance.now()))
    results.push(begin(index))
  }
  return Promise.all(results)
}

async function load({ url, seconds, perSecond, emails, password }: SignInOrder): Promise<SignInReport> {
  const [people, probe] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })]
  const signIn = (index: number) =>
    ask(`${url}/api/v1/session`, people, JSON.stringify({ email: emails[index % emails.length], password }), {
      origin: url,
      'content-type': 'application/json',
      // Everybody from an address of their own: those of one would be told to slow down.
      'x-forwarded-for': `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
    })
  const [signIns, healths] = await Promise.all([
    evenly(perSecond, seconds, signIn),
    evenly(HEALTH_PER_SECOND, seconds, () => ask(`${url}/healthz`, probe)),
  ])
  const answered = signIns.filter(({ status }) => status === 200)
  people.destroy()
  probe.destroy()
  return {
    signedIn: answered.length,
    refused: signIns.length - answered.length,
    signInMs: answered.map(({ ms }) => ms),
    healthMs: healths.map(({ ms }) => ms),
  }
}

process.once('message', (order: SignInOrder) => {
  void load(order).then((report) => {
    process.send?.(report)
    process.disconnect?.()
  })
})
