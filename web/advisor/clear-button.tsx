import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { clearConversation, conversationQuery } from '#web/advisor/queries.ts'
import { messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toast.ts'
import { Confirm } from '#web/ui/confirm.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'

/** Clears the conversation after a confirmation. */
export function ClearButton({ onCleared }: { onCleared: () => void }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const [open, setOpen] = useState(false)
  const clearing = useMutation({
    mutationFn: clearConversation,
    onSuccess: () => {
      queries.setQueryData(conversationQuery.queryKey, { exchanges: [] })
      setOpen(false)
      onCleared()
      toast.success(t`Conversation cleared`)
    },
  })
  return (
    <>
      <IconButton icon={Trash2} label={t`Clear Conversation`} aria-haspopup="dialog" onClick={() => setOpen(true)} />
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={t`Clear this conversation?`}
        description={t`Your questions and all replies will be deleted.`}
        yes={t`Clear Conversation`}
        no={t({ message: 'Cancel', comment: 'Closes a sheet without a change' })}
        danger
        busy={clearing.isPending}
        error={clearing.error && messageOf(clearing.error)}
        onYes={() => clearing.mutate()}
      >
        <p>
          <Trans>Your questions and all replies will be deleted.</Trans>
        </p>
      </Confirm>
    </>
  )
}
