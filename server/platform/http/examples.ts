/** The subset of JSON Schema that the OpenAPI document uses for bodies. */
export type BodySchema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: BodySchema[]
  oneOf?: BodySchema[]
  properties?: Record<string, BodySchema>
  required?: string[]
  items?: BodySchema
  minItems?: number
  minimum?: number
  maximum?: number
  format?: string
  pattern?: string
}

const ID = '019b3f5c-8f6e-7c21-9d0a-2f4b6c8d1e35'

/**
 * The values of fields in the sample history, by name. The key 'Cards name' is for the field `name` in the part `Cards` of the
 * API only.
 */
const FIELDS: Record<string, string | number> = {
  accountNumber: '000123456789',
  address: 'sarah.johnson@example.com',
  amountMinor: 25_00,
  auth: 'q3XvT9mZ0c5LhW2dRk8uYb',
  balanceAfterMinor: 12_480_50,
  balanceMinor: 12_480_50,
  bankName: 'Harbor Bank',
  basisPoints: 5_000,
  billerName: 'City Power',
  'Cards name': 'Subscriptions',
  code: '492817',
  content: 'RGF0ZSxOYW1lLEFtb3VudAoyMDI2LTA4LTAzLEdyZWVubWFya2V0LC00Mi4xMAo=',
  cvv: '123',
  dateOfBirth: '1991-04-17',
  dayOfMonth: 1,
  days: 1,
  description: 'Dinner on Friday',
  email: 'sarah.johnson@example.com',
  endpoint: 'https://push.example.com/send/q3XvT9mZ0c5L',
  fileName: 'august.csv',
  fullName: 'Sarah Johnson',
  grams: 12_500,
  holderName: 'Sarah Johnson',
  initials: 'SJ',
  lastFour: '4242',
  'Loans amountMinor': 5_000_00,
  limitMinor: 500_00,
  merchant: 'Greenmarket',
  month: '2026-08',
  months: 12,
  name: 'Sarah Johnson',
  note: 'Dinner on Friday',
  'Notifications kind': 'payment_received',
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  password: 'window-seat-17-lamp',
  phone: '+447700900123',
  points: 1_250,
  postcode: 'VE4 2HT',
  'Profile address': '8 Fern Lane, Elmswick',
  question: 'How much did I spend on food last month?',
  recipient: 'sarah.johnson@example.com',
  reference: 'TXN-20260828-7F3K',
  routingNumber: '011000015',
  'Savings name': 'Vacation Fund',
  targetMinor: 5_000_00,
  totalMinor: 84_00,
}

/** The values of fields by the ending of their name. */
const ENDINGS: Record<string, string | number> = {
  Minor: 25_00,
  Bps: 450,
  Micros: 64_250_000_000,
  Token: 'q3XvT9mZ0c5LhW2dRk8uYbE7sNf4GjPaQ1iVoCxJt6M',
  Name: 'Sarah Johnson',
  Email: 'sarah.johnson@example.com',
  id: ID,
  Id: ID,
}

const FORMATS: Record<string, string> = {
  date: '2026-09-28',
  'date-time': '2026-08-28T09:41:00.000Z',
  uuid: ID,
}

/** Returns a body that matches its schema. `part`: the part of the API. A nullable field without an example value is null. */
export function exampleOf(schema: BodySchema, part: string, name = ''): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  if (choice) return exampleOf(choice, part, name)
  const types = new Set([schema.type ?? 'string'].flat())
  if (types.has('object')) return objectOf(schema, part)
  if (types.has('array'))
    return Array.from({ length: schema.minItems ?? 1 }, () =>
      exampleOf(schema.items ?? {}, part, name.replace(/s$/, '')),
    )
  const example = exampleByName(part, name)
  if (types.has('string') && typeof example === 'string' && fits(schema, example)) return example
  const isNumber = types.has('integer') || types.has('number')
  if (isNumber && typeof example === 'number') return clampToRange(schema, example)
  if (types.has('null')) return null
  if (isNumber) return clampToRange(schema, 1)
  return types.has('boolean') ? true : (FORMATS[schema.format ?? ''] ?? 'Text')
}

const exampleByName = (part: string, name: string) =>
  FIELDS[`${part} ${name}`] ?? FIELDS[name] ?? Object.entries(ENDINGS).find(([ending]) => name.endsWith(ending))?.[1]

const fits = ({ format, pattern = '' }: BodySchema, text: string): boolean =>
  new RegExp(pattern, 'u').test(text) &&
  (format === undefined || format === 'email' || text.length === FORMATS[format]?.length)

const clampToRange = ({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: BodySchema, value: number): number =>
  Math.min(Math.max(value, minimum), maximum)

/** Optional fields are left out. If all fields are optional, the first one shows what can be sent. */
function objectOf(
  { properties = {}, required = Object.keys(properties).slice(0, 1) }: BodySchema,
  part: string,
): unknown {
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {}, part, name)]))
}
