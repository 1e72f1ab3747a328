/** As much of JSON Schema as the bank's OpenAPI document says of bodies. */
export type BodySchema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: BodySchema[]
  oneOf?: BodySchema[]
  allOf?: BodySchema[]
  $ref?: string
  properties?: Record<string, BodySchema>
  required?: string[]
  items?: BodySchema
  minItems?: number
  minimum?: number
  exclusiveMinimum?: number | boolean
  minLength?: number
  format?: string
  pattern?: string
}

/** What the bank's texts look like that are not any text. */
const TEXTS = [
  'Text of some length',
  'somebody@example.com',
  '2027-01-01',
  '2027-01-01T00:00:00Z',
  '07911 123456',
  '123456',
  '011000015',
  '1234567',
  'A'.repeat(43),
  'https://push.example.com/1',
  'US',
]

const FORMATS: Record<string, string> = {
  email: 'somebody@example.com',
  date: '2027-01-01',
  'date-time': '2027-01-01T00:00:00Z',
  uuid: '7b0f3b66-6d5c-4a0a-9a57-0c5a5a0c5a5a',
  uri: 'https://push.example.com/1',
}

/** A body that fits a schema as far as it says; `named` finds what is referred to. */
export function exampleOf(schema: BodySchema, named: (ref: string) => BodySchema): unknown {
  if (schema.$ref !== undefined) return exampleOf(named(schema.$ref), named)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  if (choice) return exampleOf(choice, named)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, named))) as unknown
  const [type = 'string'] = [schema.type].flat()
  switch (type) {
    case 'object': {
      const { properties = {}, required = [] } = schema
      return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {}, named)]))
    }
    case 'array':
      return Array.from({ length: schema.minItems ?? 1 }, () => exampleOf(schema.items ?? {}, named))
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return textOf(schema)
  }
}

function textOf({ format, pattern, minLength = 0 }: BodySchema): string {
  if (format !== undefined && FORMATS[format] !== undefined) return FORMATS[format]
  const fits = (text: string) =>
    text.length >= minLength && (pattern === undefined || new RegExp(pattern, 'u').test(text))
  return TEXTS.find(fits) ?? 'x'.repeat(Math.max(1, minLength))
}
