/** What is printed on a card of the last day it works: 12/28. */
export function expiryText(expiresOn: string): string {
  return `${expiresOn.slice(5, 7)}/${expiresOn.slice(2, 4)}`
}
