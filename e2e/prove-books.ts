import { proveBooks } from './bank.ts'

/** After all journeys, while their bank still runs: whatever they did to each other, its books balance. */
export default async function proveBooksOfAll(): Promise<void> {
  await proveBooks(process.env['ALDER_E2E_DIR'] ?? '')
}
