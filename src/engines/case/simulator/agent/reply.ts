export interface ToolInvocation {
  id: string;
  name: string;
  /** Encoded as JSON. */
  arguments: string;
}

export interface Reply {
  readonly text: string;
  readonly calls: readonly ToolInvocation[];
  /** The provider returned an error, or the answer was cut or malformed. What was parsed before is kept. */
  readonly broken: boolean;
}

/** The body of an answer, as far as it came. */
export interface ReceivedStream {
  readonly text: string;
  readonly whole: boolean;
}
