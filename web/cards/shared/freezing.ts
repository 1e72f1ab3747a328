import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Card, CardList } from '#contract/cards.ts'
import { cardsQuery, setCardFrozen } from '#web/cards/queries.ts'
import { toastError } from '#web/lib/error-toast.ts'
import { toast } from '#web/lib/toast.ts'

/** Returns a mutation that freezes or unfreezes a card. The change is shown at once, and is undone if the bank refuses it. */
export function useFreezing({ id }: Card, name: string) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const { queryKey } = cardsQuery
  return useMutation({
    scope: { id: `freeze-${id}` },
    mutationFn: (frozen: boolean) => setCardFrozen(id, frozen),
    onMutate: async (frozen) => {
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData<CardList>(queryKey)
      const status = frozen ? 'frozen' : 'active'
      if (before)
        queries.setQueryData<CardList>(queryKey, {
          ...before,
          cards: before.cards.map((card) => (card.id === id ? { ...card, status } : card)),
        })
      return before
    },
    onSuccess: (_, frozen) => toast.success(frozen ? t`${name} frozen` : t`${name} unfrozen`),
    onError: (error, _frozen, before) => {
      if (before) queries.setQueryData(queryKey, before)
      toastError(error)
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
}
