import type { RouteConfig, z } from '@hono/zod-openapi'
import { ERRORS } from '#contract/errors.ts'
import { mountSlices } from '#server/api.ts'
import { openCustomer } from '#server/sample/open-customer.ts'
import { policyFor } from '#server/bank/policy.ts'
import type { Deps } from '#server/platform/deps.ts'
import { keyParameter } from '#server/platform/http/openapi.ts'
import { isDeclared } from '#server/test/undeclared.ts'
import { routeFinder } from '#server/test/find-route.ts'
import { testServer } from '#server/test/server.ts'

/**
 * What component tests ask of the server's side (web/test/bank.ts). They run in a browser against a fake bank, which this
 * keeps true to the real one: its first answers are those of a real bank, and the API's own schemas parse all others.
 */

/**
 * One request and its response, as the fake bank saw them. `key`: the request's Idempotency-Key; `answer`: the JSON of the
 * response; null where it has no body.
 */
export type Exchange = {
  method: string
  path: string
  key: string | null
  body: unknown
  status: number
  answer: unknown
}

/** A response of the real bank to its sample customer. */
export type Recorded = { status: number; answer: unknown }

let opening: ReturnType<typeof openBank> | undefined

async function openBank() {
  const server = await testServer({ openCustomer })
  return { visitor: await server.visitor(), close: server.close }
}

const recorded = new Map<string, Promise<Recorded>>()

/** What a real bank answers a new sample customer who reads this path. Asked once for all tests of a run. */
export function record(path: string): Promise<Recorded> {
  const known = recorded.get(path)
  if (known) return known
  const response = ask(path)
  recorded.set(path, response)
  return response
}

async function ask(path: string): Promise<Recorded> {
  opening ??= openBank()
  const { visitor } = await opening
  const response = await visitor.get(path)
  const text = await response.text()
  return { status: response.status, answer: text === '' ? null : JSON.parse(text) }
}

/** Closes the real bank, if one was opened. */
export async function closeRecordedBank(): Promise<void> {
  await (await opening)?.close()
}

let findRoute: ReturnType<typeof routeFinder> | undefined

/** Says in which way the fake bank is not as the real one could be; null where it is. */
export function faultOf({ method, path, key, body, status, answer }: Exchange): string | null {
  findRoute ??= routeFinder(mountSlices({ policy: policyFor({ mode: 'sample' }) } as Deps, { openCustomer }))
  const [pathname = ''] = path.split('?')
  const route = findRoute(method, pathname)
  if (!route) return `The bank has no ${method} ${pathname}`
  if (key === null && needsKey(route)) return `${method} ${pathname} was sent without an Idempotency-Key`
  if (status >= 400) return faultOfRefusal(route, status, answer)
  const sent = schemaIn(route.request?.body?.content)
  const fault = sent && body !== null ? faultOfJson('request', sent, body) : null
  if (fault) return fault
  const response = route.responses[status]
  if (!response) return `${method} ${pathname} never answers ${status}`
  const given = schemaIn('content' in response ? response.content : undefined)
  if (given) return faultOfJson('response', given, answer)
  return null
}

const needsKey = ({ parameters = [] }: RouteConfig): boolean => (parameters as unknown[]).includes(keyParameter)

function faultOfRefusal(route: RouteConfig, status: number, answer: unknown): string | null {
  const code = (answer as { error?: { code?: string } } | null)?.error?.code ?? ''
  const known = (ERRORS as Partial<Record<string, { status: number }>>)[code]
  if (!known) return `The catalogue of errors has no ${code}`
  if (known.status !== status) return `${code} is answered with ${known.status}, not with ${status}`
  return isDeclared(route, code) ? null : `${route.method} ${route.path} never refuses with ${code}`
}

type Content = NonNullable<NonNullable<RouteConfig['request']>['body']>['content'] | undefined

function schemaIn(content: Content): z.ZodType | undefined {
  const media = content?.['application/json']
  return media && 'schema' in media ? (media.schema as z.ZodType) : undefined
}

function faultOfJson(what: string, schema: z.ZodType, value: unknown): string | null {
  const { error } = schema.safeParse(value)
  return error ? `The ${what} is not as the contract says: ${error.message}` : null
}
