/** A number, or a code of letters and numbers. One digit may be part of a short name. */
const isCode = (word: string): boolean => /^\d+$|\d.*\d/.test(word) || (/\d/.test(word) && word.length >= 5)

/** The words of a name that stay: what changes from payment to payment, a month or a code, tells no payees apart. */
export function lettersOf(payee: string): string {
  const words = payee.split(/[\s#*._/:-]+/u).filter((word) => word !== '' && !isCode(word))
  return words.length === 0 ? payee : words.join(' ')
}
