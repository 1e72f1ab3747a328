import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/** The parameters of the load. bench/sign-ins.ts sends them and runs this file in its own process. */
export type SignInOrder = {
  url: string
  seconds: number
  /** The number of sign-ins started per second. A new one starts even when earlier ones are unanswered. 0 means none. */
  perSecond: number
  emails: string[]
  password: string
}

export type SignInReport = {
  signedIn: number
  refused: number
  signInMs: number[]
  /** The latencies of /healthz in milliseconds, requested a hundred times a second. */
  healthMs: number[]
}

const HEALTH_PER_SECOND = 100

type TimedStatus = { status: number; ms: number }

function sendRequest(
  url: string,
  agent: Agent,
  body?: string,
  headers: Record<string, string> = {},
): Promise<TimedStatus> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, method: body === undefined ? 'GET' : 'POST', headers }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, ms: performance.now() - startedAt }))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Starts `perSecond` tasks a second at even intervals for `seconds`, and waits for all results. */
async function evenly<Result>(
  perSecond: number,
  seconds: number,
  begin: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const startedAt = performance.now()
  const results: Promise<Result>[] = []
  for (let index = 0; index < perSecond * seconds; index += 1) {
    await wait(Math.max(0, startedAt + (index * 1_000) / perSecond - performance.now()))
    results.push(begin(index))
  }
  return Promise.all(results)
}

async function load({ url, seconds, perSecond, emails, password }: SignInOrder): Promise<SignInReport> {
  const [signInAgent, probeAgent] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })]
  const signIn = (index: number) =>
    sendRequest(
      `${url}/api/v1/session`,
      signInAgent,
      JSON.stringify({ email: emails[index % emails.length], password }),
      {
        origin: url,
        'content-type': 'application/json',
        // Each sign-in has another address, because the bank limits the rate of a single address.
        'x-forwarded-for': `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
      },
    )
  const [signIns, healths] = await Promise.all([
    evenly(perSecond, seconds, signIn),
    evenly(HEALTH_PER_SECOND, seconds, () => sendRequest(`${url}/healthz`, probeAgent)),
  ])
  const answeredSignIns = signIns.filter(({ status }) => status === 200)
  signInAgent.destroy()
  probeAgent.destroy()
  return {
    signedIn: answeredSignIns.length,
    refused: signIns.length - answeredSignIns.length,
    signInMs: answeredSignIns.map(({ ms }) => ms),
    healthMs: healths.map(({ ms }) => ms),
  }
}

process.once('message', (parameters: SignInOrder) => {
  void load(parameters).then((report) => {
    process.send?.(report)
    process.disconnect?.()
  })
})
