import { proveBooks } from './bank.ts'

/** Runs after all journeys while their bank still runs, and proves that its books balance. */
export default async function proveBooksOfAll(): Promise<void> {
  await proveBooks(process.env['ALDER_E2E_DIR'] ?? '')
}
