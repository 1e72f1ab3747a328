/** What is done with a goal in a sheet. */
export type GoalSheet =
  | { kind: 'new' }
  | { kind: 'manage' | 'add' | 'withdraw' | 'edit' | 'monthly' | 'lock' | 'close'; goalId: string }
