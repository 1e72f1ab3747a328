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
    onMutate: async (isFrozen) => {
      await queries.cancelQueries({ queryKey })
      const previousList = queries.getQueryData<CardList>(queryKey)
      const status = isFrozen ? 'frozen' : 'active'
      if (previousList)
        queries.setQueryData<CardList>(queryKey, {
          ...previousList,
          cards: previousList.cards.map((card) => (card.id === id ? { ...card, status } : card)),
        })
      return previousList
    },
    onSuccess: (_, frozen) => toast.success(frozen ? t`${name} frozen` : t`${name} unfrozen`),
    onError: (error, _frozen, previousList) => {
      if (previousList) queries.setQueryData(queryKey, previousList)
      toastError(error)
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
}
