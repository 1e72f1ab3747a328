/** Returns whether a word is a number, or a code of letters and digits. A single digit may be part of a short name. */
const isCode = (word: string): boolean => /^\d+$|\d.*\d/.test(word) || (/\d/.test(word) && word.length >= 5)

/**
 * Returns the part of a payee's name that is the same in each payment. Numbers, codes and months are left out, because they
 * change from payment to payment.
 */
export function lettersOf(payee: string): string {
  const words = payee.split(/[\s#*._/:-]+/u).filter((word) => word !== '' && !isCode(word))
  return words.length === 0 ? payee : words.join(' ')
}
