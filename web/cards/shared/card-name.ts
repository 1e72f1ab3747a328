import { useLingui } from '@lingui/react/macro'
import type { Card } from '#contract/cards.ts'

/** Returns a function for a card's name. Virtual cards have the name that their holder chose. */
export function useCardName(): (card: Pick<Card, 'kind' | 'name'>) => string {
  const { t } = useLingui()
  return ({ kind, name }) => (kind === 'main' ? t`Main Card` : name)
}
