import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { API_TAGS } from '#server/bank/api-tags.ts'
import { mountSlices } from '#server/api.ts'
import type { Deps } from '#server/platform/deps.ts'
import { openApiDocument } from '#server/platform/http/openapi.ts'
import { schemasOf } from '#server/platform/http/refusals.ts'
import { readConfig } from '#server/bank/config.ts'
import { policyFor } from '#server/bank/policy.ts'
import { routesOf } from '#server/platform/http/route-bodies.ts'

/**
 * Checks the API document against the rules that Redocly and Spectral recommend, and its examples against the routes' own
 * schemas.
 */

type Operation = { requestBody?: { content: Record<string, { example?: unknown }> } }
type OpenApi = { paths: Record<string, Record<string, Operation>> }

const policy = policyFor(readConfig({}))
const options = { openCustomer: () => Promise.reject(new Error('Nobody is opened here')) }
const api = mountSlices({ policy } as Deps, options)
const document = openApiDocument(api, API_TAGS) as OpenApi

const config = await createConfig({ extends: ['recommended'] })
const source = JSON.stringify(document)
const byRedocly = await lintFromString({ source, config, absoluteRef: 'openapi.json' })

const spectral = new spectralCore.Spectral()
spectral.setRuleset({ extends: [[spectralRulesets.oas as never, 'recommended']] })
const bySpectral = await spectral.run(document)

const exampleFaults = routesOf(api).flatMap((route) => {
  const { method, path } = route
  const example = document.paths[path]?.[method]?.requestBody?.content['application/json']?.example
  const error = schemasOf(route).body?.safeParse(example).error
  return error ? [`${method} ${path}: its example is refused: ${error.message}`] : []
})

const problems = [
  ...exampleFaults,
  ...byRedocly.map(({ ruleId, message, location: [place] }) => `redocly ${ruleId}: ${message} ${place?.pointer ?? ''}`),
  ...bySpectral.map(({ code, message, path }) => `spectral ${code}: ${message} ${path.join('/')}`),
]
console.log(problems.join('\n'))
process.exitCode = problems.length === 0 ? 0 : 1
