// SPDX-License-Identifier: Apache-2.0
// Made by tools/types.mjs from the schemas of the API.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        bytes: {
            hex?: string;
            b64?: string;
            text?: string;
            len: number;
            /** @constant */
            truncated?: true;
            href?: string;
        };
        bound: {
            key: components["schemas"]["bytes"];
            seq: string;
            type: string;
        };
        finding: {
            /** @enum {string} */
            severity: "error" | "not_checked" | "unreadable" | "warning";
            layer: string;
            file: string;
            what: string;
            offset?: number;
            lost_range?: {
                from?: components["schemas"]["bytes"];
                to?: components["schemas"]["bytes"];
            };
        };
        recovery: {
            losses: {
                file: string;
                offset: number;
                size: number;
                what: string;
            }[];
        };
        root: {
            /** @constant */
            schema: "varve.root/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            version: string;
            capabilities: {
                write: boolean;
                live: boolean;
                metrics: boolean;
                bench: boolean;
                jobs: string[];
                max_body: number;
                codecs: string[];
                comparators: string[];
                decoders: string[];
            };
            limits: {
                page_size: number;
                page_bytes: number;
            };
            schemas: string[];
            targets: {
                id: string;
                name: string;
                /** @enum {string} */
                kind: "db" | "sst" | "manifest" | "wal" | "unknown";
                live: boolean;
            }[];
        };
        explain: {
            /** @constant */
            schema: "varve.explain/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            op: string;
            key: components["schemas"]["bytes"];
            result: {
                found: boolean;
                seq?: string;
                file?: string;
                merged?: boolean;
                problem?: unknown;
            };
            steps: {
                n: number;
                /** @enum {string} */
                source: "memtable" | "file";
                file?: string;
                level?: number;
                verdict: string;
                filter?: {
                    kind: string;
                    partitioned: boolean;
                    may_match: boolean;
                    bits?: number[];
                    first_zero?: number;
                };
                reads: {
                    /** @enum {string} */
                    kind: "filter_partition" | "index_partition" | "data";
                    offset: number;
                    size: number;
                    raw_size: number;
                    cached: boolean;
                    ns?: number;
                    rocksdb_only?: boolean;
                }[];
                versions: {
                    seq: string;
                    type: string;
                    value: components["schemas"]["bytes"];
                    visible: boolean;
                    block?: number;
                }[];
                comparisons: number;
                covered_by?: string;
                problem?: unknown;
            }[];
            totals: {
                files_considered: number;
                filters_checked: number;
                filter_false_positives: number;
                blocks_read: number;
                bytes_read: number;
                key_comparisons: number;
                perf_context: {
                    [key: string]: number;
                };
            };
        };
        explain_reads: {
            /** @constant */
            schema: "varve.explain_reads/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            op: string;
            keys: {
                key: components["schemas"]["bytes"];
                result: {
                    found: boolean;
                    seq?: string;
                    file?: string;
                    merged?: boolean;
                    problem?: unknown;
                };
                steps: {
                    n: number;
                    /** @enum {string} */
                    source: "memtable" | "file";
                    file?: string;
                    level?: number;
                    verdict: string;
                    filter?: {
                        kind: string;
                        partitioned: boolean;
                        may_match: boolean;
                        bits?: number[];
                        first_zero?: number;
                    };
                    reads: {
                        /** @enum {string} */
                        kind: "filter_partition" | "index_partition" | "data";
                        offset: number;
                        size: number;
                        raw_size: number;
                        cached: boolean;
                        ns?: number;
                        rocksdb_only?: boolean;
                    }[];
                    versions: {
                        seq: string;
                        type: string;
                        value: components["schemas"]["bytes"];
                        visible: boolean;
                        block?: number;
                    }[];
                    comparisons: number;
                    covered_by?: string;
                    problem?: unknown;
                }[];
                totals: {
                    files_considered: number;
                    filters_checked: number;
                    filter_false_positives: number;
                    blocks_read: number;
                    bytes_read: number;
                    key_comparisons: number;
                    perf_context: {
                        [key: string]: number;
                    };
                };
            }[];
            totals: {
                files_considered: number;
                filters_checked: number;
                filter_false_positives: number;
                blocks_read: number;
                bytes_read: number;
                key_comparisons: number;
                perf_context: {
                    [key: string]: number;
                };
            };
            memtable_search: {
                entries: number;
                visited_tree: number;
                visited_per_key: number;
                visited_finger: number;
            };
        };
        explain_scan: {
            /** @constant */
            schema: "varve.explain_scan/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            /** @enum {string} */
            op: "scan";
            result: {
                rows: number;
                ended: boolean;
                first?: components["schemas"]["bytes"];
                last?: components["schemas"]["bytes"];
            };
            parts: {
                n: number;
                /** @enum {string} */
                source: "memtable" | "file";
                file?: string;
                level?: number;
                /** @enum {string} */
                verdict: "rows" | "skipped" | "beyond" | "out_of_range" | "unreadable";
                entries: number;
                rows: number;
                hidden: number;
                deletions: number;
                range_deleted: number;
                too_new: number;
                blocks_read: number;
                bytes_read: number;
                reads: {
                    /** @enum {string} */
                    kind: "filter_partition" | "index_partition" | "data";
                    offset: number;
                    size: number;
                    raw_size: number;
                    cached: boolean;
                    ns?: number;
                    rocksdb_only?: boolean;
                }[];
                reads_more?: number;
                problem?: unknown;
            }[];
            totals: {
                runs: number;
                files_opened: number;
                files_not_reached: number;
                entries_range_deleted: number;
                blocks_read: number;
                bytes_read: number;
                key_comparisons: number;
                reseeks: number;
                perf_context: {
                    [key: string]: number;
                };
            };
        };
        locate: {
            /** @constant */
            schema: "varve.locate/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            key: components["schemas"]["bytes"];
            log: {
                versions: {
                    seq: string;
                    type: string;
                    value: components["schemas"]["bytes"];
                    visible: boolean;
                    block?: number;
                }[];
                covered_by?: string;
            };
            files: {
                file: string;
                level: number;
                verdict: string;
                reason: string;
                filter?: {
                    kind: string;
                    partitioned: boolean;
                    may_match: boolean;
                    bits?: number[];
                    first_zero?: number;
                };
                reads?: {
                    /** @enum {string} */
                    kind: "filter_partition" | "index_partition" | "data";
                    offset: number;
                    size: number;
                    raw_size: number;
                    cached: boolean;
                    ns?: number;
                    rocksdb_only?: boolean;
                }[];
                versions?: {
                    seq: string;
                    type: string;
                    value: components["schemas"]["bytes"];
                    visible: boolean;
                    block?: number;
                }[];
                comparisons?: number;
                covered_by?: string;
                problem?: unknown;
            }[];
        };
        layout: {
            /** @constant */
            schema: "varve.layout/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            size: number;
            problems: string[];
            ranges: {
                o: number;
                n: number;
                kind: string;
                path?: string;
                number?: string;
                bytes?: components["schemas"]["bytes"];
                note?: string;
            }[];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: unknown;
        };
        index: {
            /** @constant */
            schema: "varve.index/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            offset: number;
            size: number;
            kind: string;
            two_levels: boolean;
            /** @enum {string} */
            leads_to: "index_partition" | "data";
            user_keys: boolean;
            delta_encoded: boolean;
            handles: {
                blocks?: number;
                offset: number;
                restart: boolean;
                shared: number;
                non_shared: number;
                key: components["schemas"]["bytes"];
                seq?: string;
                type?: string;
                value?: components["schemas"]["bytes"];
                handle?: {
                    offset: number;
                    size: number;
                };
                first_key?: components["schemas"]["bytes"];
            }[];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: unknown;
        };
        hex: {
            /** @constant */
            schema: "varve.hex/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            offset: number;
            size: number;
            total: number;
            hex: string;
        };
        filter: {
            /** @constant */
            schema: "varve.filter/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            file: string;
            filter: {
                kind: string;
                policy: string;
                partitioned: boolean;
                whole_keys: boolean;
                prefix_extractor: string;
                bytes: number;
                entries: number;
                bits_per_key: number;
                probes?: number;
                columns?: number;
                bits?: number;
                bits_set?: number;
                fill?: number;
                partitions?: {
                    count: number;
                    empty: number;
                    smallest: number;
                    largest: number;
                };
                false_positives?: {
                    /** @enum {string} */
                    of: "absent_keys" | "random_strings";
                    asked: number;
                    passed: number;
                    rate: number;
                    ci95: number[];
                    expected?: number;
                };
                problem?: string;
            };
        };
        filter_probe: {
            /** @constant */
            schema: "varve.filter_probe/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            file: string;
            key: components["schemas"]["bytes"];
            filter: {
                kind: string;
                partitioned: boolean;
                may_match: boolean;
                bits?: number[];
                first_zero?: number;
            };
            reads: {
                /** @enum {string} */
                kind: "filter_partition" | "index_partition" | "data";
                offset: number;
                size: number;
                raw_size: number;
                cached: boolean;
                ns?: number;
                rocksdb_only?: boolean;
            }[];
        };
        scan_reads: {
            /** @constant */
            schema: "varve.scan_reads/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            file: string;
            /** @enum {string} */
            readahead: "off" | "doubling";
            entries: number;
            reads: {
                offset: number;
                size: number;
            }[];
        };
        blocks: {
            /** @constant */
            schema: "varve.blocks/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            blocks_total: number;
            problems: string[];
            blocks: {
                offset: number;
                size: number;
                kind: string;
                codec: string;
                raw_size: number;
                checksum: {
                    ok: boolean;
                    stored: string;
                    computed: string;
                    patched?: boolean;
                };
                entries?: number;
                restarts?: number;
                restart_interval?: number;
                key_bytes?: number;
                shared_key_bytes?: number;
                value_bytes?: number;
                hash_buckets?: number;
                hash_empty?: number;
                hash_collisions?: number;
                separated?: boolean;
                problem?: string;
            }[];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: unknown;
        };
        block: {
            /** @constant */
            schema: "varve.block/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            block: {
                offset: number;
                size: number;
                kind: string;
                codec: string;
                raw_size: number;
                checksum: {
                    ok: boolean;
                    stored: string;
                    computed: string;
                    patched?: boolean;
                };
                entries?: number;
                restarts?: number;
                restart_interval?: number;
                key_bytes?: number;
                shared_key_bytes?: number;
                value_bytes?: number;
                hash_buckets?: number;
                hash_empty?: number;
                hash_collisions?: number;
                separated?: boolean;
                problem?: string;
            };
        };
        block_entries: {
            /** @constant */
            schema: "varve.block_entries/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            kind: string;
            entries: {
                blocks?: number;
                offset: number;
                restart: boolean;
                shared: number;
                non_shared: number;
                key: components["schemas"]["bytes"];
                seq?: string;
                type?: string;
                value?: components["schemas"]["bytes"];
                handle?: {
                    offset: number;
                    size: number;
                };
                first_key?: components["schemas"]["bytes"];
            }[];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: unknown;
        };
        targets: {
            /** @constant */
            schema: "varve.targets/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            targets: {
                id: string;
                name: string;
                /** @enum {string} */
                kind: "db" | "sst" | "manifest" | "wal" | "unknown";
                live: boolean;
            }[];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: unknown;
        };
        target: {
            /** @constant */
            schema: "varve.target/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            target: {
                id: string;
                name: string;
                /** @enum {string} */
                kind: "db" | "sst" | "manifest" | "wal" | "unknown";
                live: boolean;
            };
            db?: {
                /** @enum {string} */
                kind: "rocksdb" | "leveldb";
                id: string;
                manifest: string;
                manifest_bytes: number;
                next_file_number: string;
                cfs: {
                    cf: string;
                    cf_id: number;
                    name: components["schemas"]["bytes"];
                    comparator: string;
                    comparator_known: boolean;
                    files: number;
                    bytes: number;
                    blob_files: number;
                    log_number: string;
                    levels: {
                        level: number;
                        files: number;
                        bytes: number;
                        score: number;
                    }[];
                }[];
                wals: {
                    id: string;
                    size: number;
                    live: boolean;
                }[];
                orphans: string[];
                missing: string[];
                digest?: unknown;
            };
            size?: number;
        };
        cfs: {
            /** @constant */
            schema: "varve.cfs/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            cfs: {
                cf: string;
                cf_id: number;
                name: components["schemas"]["bytes"];
                comparator: string;
                comparator_known: boolean;
                files: number;
                bytes: number;
                blob_files: number;
                log_number: string;
                levels: {
                    level: number;
                    files: number;
                    bytes: number;
                    score: number;
                }[];
            }[];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: unknown;
        };
        cf: {
            /** @constant */
            schema: "varve.cf/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            family: {
                cf: string;
                cf_id: number;
                name: components["schemas"]["bytes"];
                comparator: string;
                comparator_known: boolean;
                files: number;
                bytes: number;
                blob_files: number;
                log_number: string;
                levels: {
                    level: number;
                    files: number;
                    bytes: number;
                    score: number;
                }[];
            };
        };
        files: {
            /** @constant */
            schema: "varve.files/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            files: {
                id: string;
                name: string;
                cf: string;
                cf_id: number;
                level: number;
                size: number;
                smallest: components["schemas"]["bound"];
                largest: components["schemas"]["bound"];
                smallest_seq: string;
                largest_seq: string;
                epoch: string;
                creation_time_unix_s: number;
                oldest_ancestor_time_unix_s: number;
                unique_id: string;
                path_id: number;
                marked_for_compaction: boolean;
                present: boolean;
                added_by_edit: string;
                overlap?: {
                    level: number;
                    files: number;
                    bytes: number;
                };
                entries?: number;
                deletions?: number;
                range_deletions?: number;
                merges?: number;
                raw_key_bytes?: number;
                raw_value_bytes?: number;
            }[];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: unknown;
        };
        file: {
            /** @constant */
            schema: "varve.file/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            properties?: {
                name: string;
                raw: components["schemas"]["bytes"];
                decoded: string;
            }[];
            lineage?: {
                file: string;
                level: number;
                size: number;
                distance: number;
                made_by?: {
                    /** @enum {string} */
                    kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                    edit?: string;
                    cf: string;
                    cf_id: number;
                    inputs: {
                        file: string;
                        level: number;
                        size: number;
                    }[];
                    outputs: {
                        file: string;
                        level: number;
                        size: number;
                    }[];
                    output_level: number;
                    bytes_read: number;
                    bytes_written: number;
                    write_amplification?: number;
                    creation_time_unix_s?: number;
                    inferred: boolean;
                    job?: number;
                    log?: string;
                    reason?: string;
                    started_unix_us?: number;
                    finished_unix_us?: number;
                };
                moved_by: {
                    /** @enum {string} */
                    kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                    edit?: string;
                    cf: string;
                    cf_id: number;
                    inputs: {
                        file: string;
                        level: number;
                        size: number;
                    }[];
                    outputs: {
                        file: string;
                        level: number;
                        size: number;
                    }[];
                    output_level: number;
                    bytes_read: number;
                    bytes_written: number;
                    write_amplification?: number;
                    creation_time_unix_s?: number;
                    inferred: boolean;
                    job?: number;
                    log?: string;
                    reason?: string;
                    started_unix_us?: number;
                    finished_unix_us?: number;
                }[];
                consumed_by?: {
                    /** @enum {string} */
                    kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                    edit?: string;
                    cf: string;
                    cf_id: number;
                    inputs: {
                        file: string;
                        level: number;
                        size: number;
                    }[];
                    outputs: {
                        file: string;
                        level: number;
                        size: number;
                    }[];
                    output_level: number;
                    bytes_read: number;
                    bytes_written: number;
                    write_amplification?: number;
                    creation_time_unix_s?: number;
                    inferred: boolean;
                    job?: number;
                    log?: string;
                    reason?: string;
                    started_unix_us?: number;
                    finished_unix_us?: number;
                };
                complete: boolean;
                ancestors: {
                    file: string;
                    level: number;
                    size: number;
                    distance: number;
                    made_by?: {
                        /** @enum {string} */
                        kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                        edit?: string;
                        cf: string;
                        cf_id: number;
                        inputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        outputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        output_level: number;
                        bytes_read: number;
                        bytes_written: number;
                        write_amplification?: number;
                        creation_time_unix_s?: number;
                        inferred: boolean;
                        job?: number;
                        log?: string;
                        reason?: string;
                        started_unix_us?: number;
                        finished_unix_us?: number;
                    };
                    moved_by: {
                        /** @enum {string} */
                        kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                        edit?: string;
                        cf: string;
                        cf_id: number;
                        inputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        outputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        output_level: number;
                        bytes_read: number;
                        bytes_written: number;
                        write_amplification?: number;
                        creation_time_unix_s?: number;
                        inferred: boolean;
                        job?: number;
                        log?: string;
                        reason?: string;
                        started_unix_us?: number;
                        finished_unix_us?: number;
                    }[];
                    consumed_by?: {
                        /** @enum {string} */
                        kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                        edit?: string;
                        cf: string;
                        cf_id: number;
                        inputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        outputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        output_level: number;
                        bytes_read: number;
                        bytes_written: number;
                        write_amplification?: number;
                        creation_time_unix_s?: number;
                        inferred: boolean;
                        job?: number;
                        log?: string;
                        reason?: string;
                        started_unix_us?: number;
                        finished_unix_us?: number;
                    };
                }[];
                successors: {
                    file: string;
                    level: number;
                    size: number;
                    distance: number;
                    made_by?: {
                        /** @enum {string} */
                        kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                        edit?: string;
                        cf: string;
                        cf_id: number;
                        inputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        outputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        output_level: number;
                        bytes_read: number;
                        bytes_written: number;
                        write_amplification?: number;
                        creation_time_unix_s?: number;
                        inferred: boolean;
                        job?: number;
                        log?: string;
                        reason?: string;
                        started_unix_us?: number;
                        finished_unix_us?: number;
                    };
                    moved_by: {
                        /** @enum {string} */
                        kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                        edit?: string;
                        cf: string;
                        cf_id: number;
                        inputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        outputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        output_level: number;
                        bytes_read: number;
                        bytes_written: number;
                        write_amplification?: number;
                        creation_time_unix_s?: number;
                        inferred: boolean;
                        job?: number;
                        log?: string;
                        reason?: string;
                        started_unix_us?: number;
                        finished_unix_us?: number;
                    }[];
                    consumed_by?: {
                        /** @enum {string} */
                        kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                        edit?: string;
                        cf: string;
                        cf_id: number;
                        inputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        outputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        output_level: number;
                        bytes_read: number;
                        bytes_written: number;
                        write_amplification?: number;
                        creation_time_unix_s?: number;
                        inferred: boolean;
                        job?: number;
                        log?: string;
                        reason?: string;
                        started_unix_us?: number;
                        finished_unix_us?: number;
                    };
                }[];
            };
            file: {
                id: string;
                name: string;
                cf?: string;
                cf_id?: number;
                level?: number;
                size: number;
                table_type: string;
                smallest?: components["schemas"]["bound"];
                largest?: components["schemas"]["bound"];
                entries: number;
                deletions: number;
                range_deletions: number;
                merges: number;
                data_blocks: number;
                raw_key_bytes: number;
                raw_value_bytes: number;
                data_bytes: number;
                codec: string;
                checksum: string;
                format_version: number;
                leveldb: boolean;
                comparator: string;
                unique_id: string;
                global_seqno?: string;
                index: {
                    kind: string;
                    partitions: number;
                    bytes: number;
                    user_keys: boolean;
                    delta_values: boolean;
                    handle: {
                        offset: number;
                        size: number;
                    };
                };
                filter: {
                    kind: string;
                    partitioned: boolean;
                    bytes: number;
                };
                warnings: string[];
            };
        };
        entries: {
            /** @constant */
            schema: "varve.entries/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            entries: {
                key: components["schemas"]["bytes"];
                seq: string;
                type: string;
                value?: components["schemas"]["bytes"];
            }[];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: unknown;
        };
        levels: {
            /** @constant */
            schema: "varve.levels/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            cf: string;
            cf_id: number;
            compaction: {
                /** @enum {string} */
                style: "level" | "universal" | "fifo" | "none";
                dynamic_level_bytes: boolean;
                level0_trigger: number;
                base_level: number;
                compensated: boolean;
            };
            levels: {
                level: number;
                files: number;
                bytes: number;
                score: number;
                target_bytes?: number;
                overlap?: {
                    level: number;
                    files: number;
                    bytes: number;
                };
            }[];
        };
        version: {
            /** @constant */
            schema: "varve.version/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            version: {
                manifest: string;
                edit: string;
                edits: string;
                manifest_bytes: number;
                last_seq: string;
                next_file_number: string;
                options_file: string;
                cfs: {
                    cf: string;
                    cf_id: number;
                    name: components["schemas"]["bytes"];
                    comparator: string;
                    comparator_known: boolean;
                    files: number;
                    bytes: number;
                    blob_files: number;
                    log_number: string;
                    levels: {
                        level: number;
                        files: number;
                        bytes: number;
                        score: number;
                    }[];
                }[];
                missing: string[];
                orphans: string[];
                warnings: string[];
            };
        };
        versions_diff: {
            /** @constant */
            schema: "varve.versions_diff/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            a: {
                manifest: string;
                edit: string;
                seq: string;
            };
            b: {
                manifest: string;
                edit: string;
                seq: string;
            };
            cfs: {
                cf: string;
                in_a: boolean;
                in_b: boolean;
                removed: number;
                added: number;
                moved: number;
                same: number;
                levels: {
                    level: number;
                    files_a: number;
                    files_b: number;
                    bytes_a: number;
                    bytes_b: number;
                }[];
            }[];
            equal: boolean;
            changes: {
                /** @enum {string} */
                change: "removed" | "added" | "moved";
                from?: {
                    id: string;
                    level: number;
                };
                file: {
                    id: string;
                    name: string;
                    cf: string;
                    cf_id: number;
                    level: number;
                    size: number;
                    smallest: components["schemas"]["bound"];
                    largest: components["schemas"]["bound"];
                    smallest_seq: string;
                    largest_seq: string;
                    epoch: string;
                    creation_time_unix_s: number;
                    oldest_ancestor_time_unix_s: number;
                    unique_id: string;
                    path_id: number;
                    marked_for_compaction: boolean;
                    present: boolean;
                    added_by_edit: string;
                    overlap?: {
                        level: number;
                        files: number;
                        bytes: number;
                    };
                    entries?: number;
                    deletions?: number;
                    range_deletions?: number;
                    merges?: number;
                    raw_key_bytes?: number;
                    raw_value_bytes?: number;
                };
            }[];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: unknown;
        };
        edits: {
            /** @constant */
            schema: "varve.edits/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            edits: {
                edit: string;
                offset: number;
                size: number;
                /** @enum {string} */
                kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "add_family" | "drop_family" | "counters";
                cf: string;
                cf_id: number;
                counters: {
                    comparator?: string;
                    db_id?: string;
                    max_cf_id?: string;
                    log_number?: string;
                    prev_log_number?: string;
                    min_log_number_to_keep?: string;
                    next_file_number?: string;
                    last_seq?: string;
                };
                deleted: {
                    file: string;
                    level: number;
                }[];
                added: {
                    file: string;
                    level: number;
                    size: number;
                    smallest: components["schemas"]["bound"];
                    largest: components["schemas"]["bound"];
                    smallest_seq: string;
                    largest_seq: string;
                    unique_id?: string;
                }[];
                blob_files: {
                    file: string;
                    blobs: number;
                    bytes: number;
                    garbage: boolean;
                }[];
                atomic_group_remaining?: number;
                wals_added?: string[];
                wals_deleted_below?: string;
                skipped_tags?: number[];
            }[];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: unknown;
        };
        history: {
            /** @constant */
            schema: "varve.history/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            manifest: string;
            logs: string[];
            warnings: string[];
            totals: {
                cf: string;
                flushes: number;
                flushed_bytes: number;
                ingestions: number;
                ingested_bytes: number;
                compactions: number;
                compaction_read_bytes: number;
                compaction_written_bytes: number;
                moves: number;
                deletions: number;
                write_amplification?: number;
            }[];
            jobs: {
                /** @enum {string} */
                kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                edit?: string;
                cf: string;
                cf_id: number;
                inputs: {
                    file: string;
                    level: number;
                    size: number;
                }[];
                outputs: {
                    file: string;
                    level: number;
                    size: number;
                }[];
                output_level: number;
                bytes_read: number;
                bytes_written: number;
                write_amplification?: number;
                creation_time_unix_s?: number;
                inferred: boolean;
                job?: number;
                log?: string;
                reason?: string;
                started_unix_us?: number;
                finished_unix_us?: number;
            }[];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: unknown;
        };
        lineage: {
            /** @constant */
            schema: "varve.lineage/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            lineage: {
                file: string;
                level: number;
                size: number;
                distance: number;
                made_by?: {
                    /** @enum {string} */
                    kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                    edit?: string;
                    cf: string;
                    cf_id: number;
                    inputs: {
                        file: string;
                        level: number;
                        size: number;
                    }[];
                    outputs: {
                        file: string;
                        level: number;
                        size: number;
                    }[];
                    output_level: number;
                    bytes_read: number;
                    bytes_written: number;
                    write_amplification?: number;
                    creation_time_unix_s?: number;
                    inferred: boolean;
                    job?: number;
                    log?: string;
                    reason?: string;
                    started_unix_us?: number;
                    finished_unix_us?: number;
                };
                moved_by: {
                    /** @enum {string} */
                    kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                    edit?: string;
                    cf: string;
                    cf_id: number;
                    inputs: {
                        file: string;
                        level: number;
                        size: number;
                    }[];
                    outputs: {
                        file: string;
                        level: number;
                        size: number;
                    }[];
                    output_level: number;
                    bytes_read: number;
                    bytes_written: number;
                    write_amplification?: number;
                    creation_time_unix_s?: number;
                    inferred: boolean;
                    job?: number;
                    log?: string;
                    reason?: string;
                    started_unix_us?: number;
                    finished_unix_us?: number;
                }[];
                consumed_by?: {
                    /** @enum {string} */
                    kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                    edit?: string;
                    cf: string;
                    cf_id: number;
                    inputs: {
                        file: string;
                        level: number;
                        size: number;
                    }[];
                    outputs: {
                        file: string;
                        level: number;
                        size: number;
                    }[];
                    output_level: number;
                    bytes_read: number;
                    bytes_written: number;
                    write_amplification?: number;
                    creation_time_unix_s?: number;
                    inferred: boolean;
                    job?: number;
                    log?: string;
                    reason?: string;
                    started_unix_us?: number;
                    finished_unix_us?: number;
                };
                complete: boolean;
                ancestors: {
                    file: string;
                    level: number;
                    size: number;
                    distance: number;
                    made_by?: {
                        /** @enum {string} */
                        kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                        edit?: string;
                        cf: string;
                        cf_id: number;
                        inputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        outputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        output_level: number;
                        bytes_read: number;
                        bytes_written: number;
                        write_amplification?: number;
                        creation_time_unix_s?: number;
                        inferred: boolean;
                        job?: number;
                        log?: string;
                        reason?: string;
                        started_unix_us?: number;
                        finished_unix_us?: number;
                    };
                    moved_by: {
                        /** @enum {string} */
                        kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                        edit?: string;
                        cf: string;
                        cf_id: number;
                        inputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        outputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        output_level: number;
                        bytes_read: number;
                        bytes_written: number;
                        write_amplification?: number;
                        creation_time_unix_s?: number;
                        inferred: boolean;
                        job?: number;
                        log?: string;
                        reason?: string;
                        started_unix_us?: number;
                        finished_unix_us?: number;
                    }[];
                    consumed_by?: {
                        /** @enum {string} */
                        kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                        edit?: string;
                        cf: string;
                        cf_id: number;
                        inputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        outputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        output_level: number;
                        bytes_read: number;
                        bytes_written: number;
                        write_amplification?: number;
                        creation_time_unix_s?: number;
                        inferred: boolean;
                        job?: number;
                        log?: string;
                        reason?: string;
                        started_unix_us?: number;
                        finished_unix_us?: number;
                    };
                }[];
                successors: {
                    file: string;
                    level: number;
                    size: number;
                    distance: number;
                    made_by?: {
                        /** @enum {string} */
                        kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                        edit?: string;
                        cf: string;
                        cf_id: number;
                        inputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        outputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        output_level: number;
                        bytes_read: number;
                        bytes_written: number;
                        write_amplification?: number;
                        creation_time_unix_s?: number;
                        inferred: boolean;
                        job?: number;
                        log?: string;
                        reason?: string;
                        started_unix_us?: number;
                        finished_unix_us?: number;
                    };
                    moved_by: {
                        /** @enum {string} */
                        kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                        edit?: string;
                        cf: string;
                        cf_id: number;
                        inputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        outputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        output_level: number;
                        bytes_read: number;
                        bytes_written: number;
                        write_amplification?: number;
                        creation_time_unix_s?: number;
                        inferred: boolean;
                        job?: number;
                        log?: string;
                        reason?: string;
                        started_unix_us?: number;
                        finished_unix_us?: number;
                    }[];
                    consumed_by?: {
                        /** @enum {string} */
                        kind: "snapshot" | "flush" | "ingestion" | "compaction" | "trivial_move" | "deletion" | "drop_family";
                        edit?: string;
                        cf: string;
                        cf_id: number;
                        inputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        outputs: {
                            file: string;
                            level: number;
                            size: number;
                        }[];
                        output_level: number;
                        bytes_read: number;
                        bytes_written: number;
                        write_amplification?: number;
                        creation_time_unix_s?: number;
                        inferred: boolean;
                        job?: number;
                        log?: string;
                        reason?: string;
                        started_unix_us?: number;
                        finished_unix_us?: number;
                    };
                }[];
            };
        };
        wals: {
            /** @constant */
            schema: "varve.wals/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            min_log_number: string;
            segments: {
                id: string;
                name: string;
                size: number;
                live: boolean;
                recyclable: boolean;
                batches: number;
                operations: number;
                first_seq?: string;
                last_seq?: string;
                damaged_bytes: number;
                unfinished_bytes: number;
                damage: string[];
            }[];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: unknown;
        };
        wal_records: {
            /** @constant */
            schema: "varve.wal_records/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            wal: string;
            records: {
                offset: number;
                size: number;
                crc?: string;
                payload_crc32c?: string;
                batch_bytes?: number;
                seq?: string;
                count?: number;
                ops?: {
                    type: string;
                    cf_id: number;
                    cf?: string;
                    seq?: string;
                    live?: boolean;
                    key: components["schemas"]["bytes"];
                    value: components["schemas"]["bytes"];
                }[];
                damage?: string;
                unfinished?: boolean;
            }[];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: unknown;
        };
        options: {
            /** @constant */
            schema: "varve.options/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            options_file: string;
            rocksdb_version: string;
            defaults_of: string;
            options: {
                /** @enum {string} */
                scope: "db" | "cf" | "table";
                name: string;
                value: string;
                default?: string;
                source: string;
                differs: boolean;
                mutable: boolean;
            }[];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: unknown;
        };
        events: {
            /** @constant */
            schema: "varve.events/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            events: {
                log: string;
                offset: number;
                time_unix_us: number;
                type: string;
                job?: number;
                data: unknown;
            }[];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: unknown;
        };
        properties: {
            /** @constant */
            schema: "varve.properties/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            file: string;
            properties: {
                name: string;
                raw: components["schemas"]["bytes"];
                decoded: string;
            }[];
            warnings: string[];
        };
        footer: {
            /** @constant */
            schema: "varve.footer/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            file: string;
            footer: {
                table_type: string;
                format_version: number;
                checksum: string;
                base_context_checksum: string;
                metaindex: {
                    offset: number;
                    size: number;
                };
                index: {
                    offset: number;
                    size: number;
                };
            };
            metaindex: {
                name: string;
                offset: number;
                size: number;
            }[];
        };
        range_dels: {
            /** @constant */
            schema: "varve.range_dels/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            range_dels: {
                from: components["schemas"]["bytes"];
                to: components["schemas"]["bytes"];
                seq: string;
            }[];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: unknown;
        };
        stats: {
            /** @constant */
            schema: "varve.stats/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            stats: {
                [key: string]: unknown;
            };
        };
        stats_history: {
            /** @constant */
            schema: "varve.stats_history/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            samples: {
                [key: string]: unknown;
            }[];
        };
        get: {
            /** @constant */
            schema: "varve.get/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            found: boolean;
            key: components["schemas"]["bytes"];
            value?: components["schemas"]["bytes"];
        };
        multiget: {
            /** @constant */
            schema: "varve.multiget/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            results: {
                key: components["schemas"]["bytes"];
                found?: boolean;
                value?: components["schemas"]["bytes"];
                error?: unknown;
            }[];
        };
        scan: {
            /** @constant */
            schema: "varve.scan/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            rows: {
                key: components["schemas"]["bytes"];
                seq?: string;
                type?: string;
                value?: components["schemas"]["bytes"];
            }[];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: unknown;
        };
        jobs: {
            /** @constant */
            schema: "varve.jobs/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            jobs: {
                id: string;
                kind: string;
                /** @enum {string} */
                state: "queued" | "running" | "done" | "failed" | "cancelled";
                progress: {
                    done: number;
                    total: number;
                    unit: string;
                };
                started_unix_us: number;
                href: string;
                result_href?: string;
                problem?: unknown;
            }[];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: unknown;
        };
        job: {
            /** @constant */
            schema: "varve.job/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            job: {
                id: string;
                kind: string;
                /** @enum {string} */
                state: "queued" | "running" | "done" | "failed" | "cancelled";
                progress: {
                    done: number;
                    total: number;
                    unit: string;
                };
                started_unix_us: number;
                href: string;
                result_href?: string;
                problem?: unknown;
            };
        };
        findings: {
            /** @constant */
            schema: "varve.findings/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            findings: components["schemas"]["finding"][];
            count: number;
            complete: boolean;
            /** @enum {string} */
            reason?: "page" | "limit" | "problem" | "recovery";
            next_page_token?: string;
            problem?: unknown;
        };
        verify: {
            /** @constant */
            schema: "varve.verify/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            clean: boolean;
            files: number;
            blocks: number;
            bytes: number;
            entries: number;
            wal_records: number;
            findings_total: number;
            findings: components["schemas"]["finding"][];
        };
        salvage: {
            /** @constant */
            schema: "varve.salvage/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            file: string;
            size: number;
            comparator: string;
            comparator_assumed: boolean;
            by_index: boolean;
            by_scan: boolean;
            complete: boolean;
            blocks: number;
            entries: number;
            range_deletions: number;
            unverified_taken: number;
            entries_lost: number;
            losses: {
                offset: number;
                size: number;
                what: string;
                data: boolean;
                entries: number;
                unverified: number;
                lost_range?: {
                    from?: components["schemas"]["bytes"];
                    to?: components["schemas"]["bytes"];
                };
            }[];
        };
        space: {
            /** @constant */
            schema: "varve.space/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            table_bytes: number;
            blob_bytes: number;
            wal_bytes: number;
            manifest_bytes: number;
            other_bytes: number;
            orphan_bytes: number;
            orphans: {
                name: string;
                bytes: number;
            }[];
            cfs: {
                id: number;
                name: string;
                not_supported?: string;
                sampled?: {
                    slices: number;
                    of: number;
                };
                levels: {
                    level: number;
                    /** @enum {string} */
                    source: "wal" | "tables";
                    files: number;
                    file_bytes: number;
                    live: {
                        entries: number;
                        bytes: number;
                    };
                    shadowed: {
                        entries: number;
                        bytes: number;
                    };
                    tombstones: {
                        entries: number;
                        bytes: number;
                    };
                }[];
                total: {
                    live: {
                        entries: number;
                        bytes: number;
                    };
                    shadowed: {
                        entries: number;
                        bytes: number;
                    };
                    tombstones: {
                        entries: number;
                        bytes: number;
                    };
                };
                merge_operands: {
                    entries: number;
                    bytes: number;
                };
                range_deletions: number;
                blob_bytes: number;
                blob_garbage_bytes: number;
                raw_bytes: number;
                live_bytes?: {
                    estimate: number;
                    ci95: number[];
                };
                shadowed_bytes?: {
                    estimate: number;
                    ci95: number[];
                };
                tombstone_bytes?: {
                    estimate: number;
                    ci95: number[];
                };
                prefixes: {
                    prefix: components["schemas"]["bytes"];
                    live: {
                        entries: number;
                        bytes: number;
                    };
                    shadowed: {
                        entries: number;
                        bytes: number;
                    };
                    tombstones: {
                        entries: number;
                        bytes: number;
                    };
                }[];
                prefixes_complete: boolean;
            }[];
        };
        tombstones: {
            /** @constant */
            schema: "varve.tombstones/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            cfs: {
                id: number;
                name: string;
                not_supported?: string;
                sampled?: {
                    slices: number;
                    of: number;
                };
                keys: number;
                skipped: number;
                tombstones: {
                    entries: number;
                    bytes: number;
                };
                range_deletions: number;
                entries: number;
                skipped_per_key?: {
                    estimate: number;
                    ci95: number[];
                };
                longest_runs: {
                    skipped: number;
                    tombstones: number;
                    after?: components["schemas"]["bytes"];
                    before?: components["schemas"]["bytes"];
                }[];
            }[];
        };
        keyspace: {
            /** @constant */
            schema: "varve.keyspace/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            cfs: {
                id: number;
                name: string;
                not_supported?: string;
                sampled?: {
                    slices: number;
                    of: number;
                };
                keys: number;
                key_sizes: {
                    from: number;
                    below: number;
                    count: number;
                }[];
                value_sizes: {
                    from: number;
                    below: number;
                    count: number;
                }[];
                slices: {
                    from: components["schemas"]["bytes"];
                    keys: number;
                    skipped: number;
                    live: {
                        entries: number;
                        bytes: number;
                    };
                    shadowed: {
                        entries: number;
                        bytes: number;
                    };
                    tombstones: {
                        entries: number;
                        bytes: number;
                    };
                }[];
            }[];
        };
        filters: {
            /** @constant */
            schema: "varve.filters/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            cfs: {
                id: number;
                name: string;
                levels: {
                    level: number;
                    files: number;
                    file_bytes: number;
                    filters: {
                        kind: string;
                        files: number;
                        entries: number;
                        bytes: number;
                        bits_per_key: number;
                    }[];
                }[];
            }[];
            unreadable: string[];
        };
        compression: {
            /** @constant */
            schema: "varve.compression/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            cfs: {
                id: number;
                name: string;
                levels: {
                    level: number;
                    files: number;
                    file_bytes: number;
                    index_bytes: number;
                    codecs: {
                        codec: string;
                        files: number;
                        raw_bytes: number;
                        stored_bytes: number;
                        ratio: number;
                    }[];
                }[];
            }[];
            unreadable: string[];
        };
        digest: {
            /** @constant */
            schema: "varve.digest/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            digest: {
                xxh3: string;
                records: number;
            };
            missing: string[];
        };
        diff: {
            /** @constant */
            schema: "varve.diff/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            equal: boolean;
            same: number;
            only_a: number;
            only_b: number;
            changed: number;
            cfs_only_a: string[];
            cfs_only_b: string[];
            complete: boolean;
            differences: {
                cf: string;
                /** @enum {string} */
                kind: "only_a" | "only_b" | "changed";
                key: components["schemas"]["bytes"];
                value: components["schemas"]["bytes"];
            }[];
        };
        options_patch: {
            /** @constant */
            schema: "varve.options_patch/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            applied: boolean;
            options: {
                [key: string]: string;
            };
        };
        flush: {
            /** @constant */
            schema: "varve.flush/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            flushed: boolean;
        };
        batch: {
            /** @constant */
            schema: "varve.batch/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            written: number;
        };
        compact: {
            /** @constant */
            schema: "varve.compact/1";
            as_of: {
                edit?: string;
                seq?: string;
                live: boolean;
            };
            exact?: boolean;
            sampled?: unknown;
            recovery?: components["schemas"]["recovery"];
            compacted: boolean;
            cf: string;
        };
        problem: {
            type: string;
            title: string;
            status: number;
            /** @enum {string} */
            code: "bad_request" | "bad_key_literal" | "page_token_mismatch" | "unauthorized" | "forbidden" | "read_only" | "confirm_required" | "resource_not_found" | "target_not_found" | "cf_not_found" | "file_not_found" | "block_not_found" | "edit_not_found" | "job_not_found" | "schema_not_found" | "analysis_not_run" | "method_not_allowed" | "conflict" | "locked" | "job_running" | "page_token_expired" | "file_vanished" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "corruption" | "block_checksum_mismatch" | "truncated" | "order_violation" | "manifest_mismatch" | "number_out_of_range" | "rate_limited" | "internal" | "io_error" | "unsupported_feature" | "shutting_down" | "insufficient_storage";
            exit_code: number;
            detail: string;
            location?: unknown;
            lost_range?: unknown;
            hint?: string;
            allow?: string;
            restart_href?: string;
            start?: unknown;
            feature?: string;
            report_id?: string;
            retryable: boolean;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
