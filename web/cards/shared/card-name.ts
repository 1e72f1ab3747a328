import { useLingui } from '@lingui/react/macro'
import type { Card } from '#contract/cards.ts'

/** What a card is called: virtual ones as their holder named them. */
export function useCardName(): (card: Pick<Card, 'kind' | 'name'>) => string {
  const { t } = useLingui()
  return ({ kind, name }) => (kind === 'main' ? t`Main Card` : name)
}
