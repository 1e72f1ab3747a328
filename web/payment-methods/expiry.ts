/** Returns the expiry date as printed on a card: 12/28. */
export function lastDayExpiryText(expiresOn: string): string {
  return `${expiresOn.slice(5, 7)}/${expiresOn.slice(2, 4)}`
}
