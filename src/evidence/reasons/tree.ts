import type { ReasonCatalogue } from './reason.ts';

/** Entries of a tree that cannot be part of a patch. */
export const TREE_REASONS = {
  nested_repository: {
    text: 'nested repository: {path}',
    status: 'blocked',
    meaning: 'The workspace contains another repository, whose content a patch cannot show.',
    next: 'Remove that .git directory, or keep the engine from cloning into the workspace.',
  },
  own_repository: {
    text: 'a git repository of its own: {path}',
    status: 'blocked',
    meaning: 'The files of the task contain a repository of their own.',
    next: 'Remove the .git directory from the files of the task.',
  },
  link_out: {
    text: 'link out of the tree: {path} -> {target}',
    status: 'blocked',
    meaning: 'A symbolic link leads out of the workspace.',
    next: 'Remove the link, or make it point into the workspace.',
  },
  pipe_in_tree: {
    text: 'pipe: {path}',
    status: 'blocked',
    meaning: 'The workspace contains a named pipe, which no patch can hold.',
    next: 'Remove the pipe.',
  },
  socket_in_tree: {
    text: 'socket: {path}',
    status: 'blocked',
    meaning: 'The workspace contains a socket, which no patch can hold.',
    next: 'Remove the socket.',
  },
  device_in_tree: {
    text: 'device: {path}',
    status: 'blocked',
    meaning: 'The workspace contains a device, which no patch can hold.',
    next: 'Remove the device.',
  },
  unreadable_entry: {
    text: 'unreadable ({error}): {path}',
    status: 'blocked',
    meaning: 'An entry of the workspace could not be read, so its content is unknown.',
    next: 'Remove the entry, or make it readable.',
  },
  tree_too_large: {
    text: 'more than {n} bytes in the tree',
    status: 'blocked',
    meaning: 'The workspace is larger than Seatrial reads.',
    next: 'Keep large data out of the workspace.',
  },
  too_many_files: {
    text: 'too many files: more than {n}',
    status: 'blocked',
    meaning: 'The workspace has more entries than Seatrial reads.',
    next: 'Keep generated files out of the workspace.',
  },
} as const satisfies ReasonCatalogue;
