import type { RouteConfig, z } from '@hono/zod-openapi'
import { ERRORS } from '#contract/errors.ts'
import { mountSlices } from '#server/api.ts'
import { openCustomer } from '#server/sample/open-customer.ts'
import { policyFor } from '#server/bank/policy.ts'
import type { Deps } from '#server/platform/deps.ts'
import { keyParameter } from '#server/platform/http/openapi.ts'
import { isDeclared } from '#server/test/api-conformance.ts'
import { routeFinder } from '#server/test/find-route.ts'
import { testServer } from '#server/test/server.ts'

/**
 * The server side of component tests (web/test/bank.ts). The tests run in a browser against a fake bank. This module keeps it
 * like the real one: first responses are recorded from a real bank, and the API's schemas parse all others.
 */

/**
 * One request to the fake bank and its response. `key` is the request's Idempotency-Key; `answer` is the response's JSON, or
 * null without a body.
 */
export type HttpExchange = {
  method: string
  path: string
  key: string | null
  body: unknown
  status: number
  answer: unknown
}

/** A response of the real bank to its sample customer. */
export type RecordedResponse = { status: number; answer: unknown }

let openedBank: ReturnType<typeof openBank> | undefined

async function openBank() {
  const server = await testServer({ openCustomer })
  return { visitor: await server.visitor(), close: server.close }
}

const responsesByPath = new Map<string, Promise<RecordedResponse>>()

/** Returns a real bank's response to a new sample customer at this path. Each path is requested once per test run. */
export function record(path: string): Promise<RecordedResponse> {
  const recordedResponse = responsesByPath.get(path)
  if (recordedResponse) return recordedResponse
  const response = ask(path)
  responsesByPath.set(path, response)
  return response
}

async function ask(path: string): Promise<RecordedResponse> {
  openedBank ??= openBank()
  const { visitor } = await openedBank
  const response = await visitor.get(path)
  const text = await response.text()
  return { status: response.status, answer: text === '' ? null : JSON.parse(text) }
}

/** Closes the real bank, if one was opened. */
export async function closeRecordedBank(): Promise<void> {
  await (await openedBank)?.close()
}

let findRoute: ReturnType<typeof routeFinder> | undefined

/** Describes how an exchange of the fake bank differs from the real one; null if it does not. */
export function faultOf({ method, path, key, body, status, answer }: HttpExchange): string | null {
  findRoute ??= routeFinder(mountSlices({ policy: policyFor({ mode: 'sample' }) } as Deps, { openCustomer }))
  const [pathname = ''] = path.split('?')
  const route = findRoute(method, pathname)
  if (!route) return `The bank has no ${method} ${pathname}`
  if (key === null && needsKey(route)) return `${method} ${pathname} was sent without an Idempotency-Key`
  if (status >= 400) return faultOfRefusal(route, status, answer)
  const requestSchema = schemaIn(route.request?.body?.content)
  const fault = requestSchema && body !== null ? faultOfJson('request', requestSchema, body) : null
  if (fault) return fault
  const response = route.responses[status]
  if (!response) return `${method} ${pathname} never answers ${status}`
  const schema = schemaIn('content' in response ? response.content : undefined)
  if (schema) return faultOfJson('response', schema, answer)
  return null
}

const needsKey = ({ parameters = [] }: RouteConfig): boolean => (parameters as unknown[]).includes(keyParameter)

function faultOfRefusal(route: RouteConfig, status: number, answer: unknown): string | null {
  const code = (answer as { error?: { code?: string } } | null)?.error?.code ?? ''
  const definition = (ERRORS as Partial<Record<string, { status: number }>>)[code]
  if (!definition) return `The catalogue of errors has no ${code}`
  if (definition.status !== status) return `${code} is answered with ${definition.status}, not with ${status}`
  return isDeclared(route, code) ? null : `${route.method} ${route.path} never refuses with ${code}`
}

type Content = NonNullable<NonNullable<RouteConfig['request']>['body']>['content'] | undefined

function schemaIn(content: Content): z.ZodType | undefined {
  const media = content?.['application/json']
  return media && 'schema' in media ? (media.schema as z.ZodType) : undefined
}

function faultOfJson(part: string, schema: z.ZodType, value: unknown): string | null {
  const { error } = schema.safeParse(value)
  return error ? `The ${part} is not as the contract says: ${error.message}` : null
}
