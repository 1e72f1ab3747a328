/** The content of the open sheet. */
export type GoalSheet =
  | { kind: 'new' }
  | { kind: 'manage' | 'add' | 'withdraw' | 'edit' | 'monthly' | 'lock' | 'close'; goalId: string }
